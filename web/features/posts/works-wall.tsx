import { postPath } from '@stagedoor/contract/addresses.ts';
import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import type { Post } from '@stagedoor/contract/posts.ts';
import { isolated } from '../../kernel/bidi.ts';
import { pictureProps } from '../../kernel/pictures.ts';
import { MediaCard } from '../../ui/card.tsx';
import { hangsWide } from '../../ui/rhythm.ts';
import { describeMedia, kindOfPost, leadPicture, Yours } from './post-card.tsx';

function whatItIs(post: Post): string {
  const isPlayed = post.type === 'video' || post.type === 'audio';
  const name = post.title && `“${isolated(post.title)}”`;
  return [name, (isPlayed || !name) && describeMedia(post)].filter(Boolean).join(' · ');
}

export function WorkCard({ post, sizes, isPriority = false }: { post: Post; sizes: string; isPriority?: boolean }) {
  const lead = leadPicture(post);
  return (
    <MediaCard
      href={postPath(post.id)}
      picture={lead ? pictureProps(lead, sizes, { priority: isPriority }) : { alt: '' }}
      seal={post.isUnlocked ? undefined : { icon: 'lock', text: formatUsd(post.price) }}
      kind={kindOfPost(post)}
      label={{
        who: post.author.name,
        what: whatItIs(post),
        price: post.isPurchased ? <Yours post={post} /> : post.price === 0 ? 'Free' : formatUsd(post.price),
      }}
    />
  );
}

const WIDE = '(min-width: 60rem) 50vw, 100vw';
const NARROW = '(min-width: 60rem) 25vw, 50vw';

export function WorksWall({ works, isFirst = false }: { works: readonly Post[]; isFirst?: boolean }) {
  return (
    <ul className="hang">
      {works.map((post, index) => {
        const isWide = hangsWide(index, works.length);
        return (
          <li key={post.id} className={isWide ? 'hang__wide' : undefined}>
            <WorkCard post={post} sizes={isWide ? WIDE : NARROW} isPriority={isFirst && index === 0} />
          </li>
        );
      })}
    </ul>
  );
}
