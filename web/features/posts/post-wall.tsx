/**
 * A creator's posts and media in the layout that the creator chose (row B2): one column or a grid, with or without a
 * round frame.
 */
import { postPath } from '@stagedoor/contract/addresses.ts';
import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { listCreatorMedia, type POSTED_KINDS, type Post, type PostedMedia } from '@stagedoor/contract/posts.ts';
import type { Profile } from '@stagedoor/contract/profiles.ts';
import { formatDuration } from '../../kernel/dates.ts';
import { pictureProps } from '../../kernel/pictures.ts';
import { apiInfiniteQuery } from '../../kernel/query.ts';
import { cx } from '../../ui/class-names.ts';
import type { IconName } from '../../ui/icon.tsx';
import { UiLink } from '../../ui/link.tsx';
import { Kind, Picture, Seal } from '../../ui/picture.tsx';
import { PostCard } from './post-card.tsx';

type Look = Pick<Profile, 'shape' | 'format'>;

/** A square frame is filled. In a round frame the picture stays whole, and its badge stays square. */
const FRAMES: Record<Look['shape'], string> = {
  box: '',
  round: '[&_.mat]:rounded-[20px] [&_.mat]:border [&_.mat]:border-line [&_.mat]:p-2',
};

export function PostWall({ posts, look, now }: { posts: readonly Post[]; look: Look; now?: string }) {
  const isWall = look.format === 'row';
  return (
    <ul
      className={cx(
        'grid',
        FRAMES[look.shape],
        isWall && 'grid-cols-2 gap-x-2 gap-y-6 lg:grid-cols-3 lg:gap-x-4 lg:gap-y-8',
        !isWall && 'mx-auto max-w-[640px] gap-y-10',
      )}
    >
      {posts.map((post, index) => (
        <li key={post.id} className="min-w-0">
          <PostCard
            post={post}
            now={now}
            isAlone={!isWall}
            isWhole={look.shape === 'round'}
            hasPin
            isPriority={index < 2}
            sizes={isWall ? '(min-width: 60rem) 22vw, 50vw' : '(min-width: 43.75rem) 640px, 100vw'}
          />
        </li>
      ))}
    </ul>
  );
}

export type PostedKind = (typeof POSTED_KINDS)[number];
const POSTED_PAGE = 24;

export const postedQuery = (creatorId: Profile['id'], kind: PostedKind, offset: string | null) =>
  apiInfiniteQuery(listCreatorMedia, {
    params: { creatorId },
    query: { kind, limit: POSTED_PAGE, ...(offset && { offset }) },
  });

const KINDS: Record<PostedMedia['media']['kind'], { icon: IconName; label: string } | undefined> = {
  picture: undefined,
  video: { icon: 'play', label: 'Video' },
  audio: { icon: 'sound', label: 'Audio' },
};
const WORDS = { picture: 'Photo', video: 'Video', audio: 'Audio' } as const;

function Tile({ posted, isWhole, isPriority }: { posted: PostedMedia; isWhole: boolean; isPriority: boolean }) {
  const { media, price, isUnlocked, isPurchased, title, postId } = posted;
  const kind = KINDS[media.kind];
  const length = media.durationSeconds === null ? '' : ` ${formatDuration(media.durationSeconds)}`;
  const state = isUnlocked ? (isPurchased ? ', unlocked' : '') : `, locked, ${formatUsd(price)}`;
  return (
    <UiLink
      href={postPath(postId)}
      className="block"
      aria-label={`${WORDS[media.kind]}${length}: ${title || 'Untitled'}${state}`}
    >
      <span className="mat">
        <Picture
          {...pictureProps(media.isLocked ? media.preview : media.picture, '(min-width: 60rem) 22vw, 33vw', {
            ratio: '1',
            ...(isWhole && { fit: 'contain' as const }),
            priority: isPriority,
            alt: '',
          })}
        >
          {!isUnlocked && <Seal icon="lock">{formatUsd(price)}</Seal>}
          {kind && <Kind {...kind} />}
        </Picture>
      </span>
    </UiLink>
  );
}

export function MediaWall({ media, look }: { media: readonly PostedMedia[]; look: Look }) {
  return (
    <ul
      className={cx(
        'grid grid-cols-3 gap-1 lg:gap-2',
        FRAMES[look.shape],
        'max-lg:[&_.mat]:rounded-2 max-lg:[&_.mat]:p-1',
        'max-lg:[&_.seal]:min-h-6 max-lg:[&_.seal]:gap-1 max-lg:[&_.seal]:px-1.5 max-lg:[&_.seal]:text-cap',
      )}
    >
      {media.map((posted, index) => (
        <li key={posted.media.id} className="min-w-0">
          <Tile posted={posted} isWhole={look.shape === 'round'} isPriority={index < 6} />
        </li>
      ))}
    </ul>
  );
}
