/** A creator's posts as the creator has them hung: one column or a wall, square or round corners (row B2). */
import type { Post } from '@stagedoor/contract/posts.ts';
import type { Profile } from '@stagedoor/contract/profiles.ts';
import { cx } from '../../ui/class-names.ts';
import { PostCard } from './post-card.tsx';

type PostWallProps = { posts: readonly Post[]; look: Pick<Profile, 'shape' | 'format'>; now?: string };

export function PostWall({ posts, look, now }: PostWallProps) {
  const isWall = look.format === 'row';
  return (
    <ul
      className={cx(
        'grid',
        isWall ? 'grid-cols-2 gap-x-2 gap-y-6 lg:grid-cols-3 lg:gap-x-4 lg:gap-y-8' : 'mx-auto max-w-[640px] gap-y-10',
      )}
    >
      {posts.map((post, index) => (
        <li key={post.id} className={cx('min-w-0', look.shape === 'round' && '[&_.pic]:rounded-bubble')}>
          <PostCard
            post={post}
            now={now}
            isPriority={index < 2}
            sizes={isWall ? '(min-width: 960px) 22vw, 50vw' : '(min-width: 700px) 640px, 100vw'}
          />
        </li>
      ))}
    </ul>
  );
}
