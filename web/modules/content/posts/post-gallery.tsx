/**
 * A creator's posts and media in the layout that the creator chose (row B2): one column or a grid, with or without a
 * round frame.
 */

import {
  listCreatorMedia,
  type POSTED_MEDIA_KINDS,
  type Post,
  type PostedMedia,
} from '@stagedoor/contract/content/posts.ts';
import type { Profile } from '@stagedoor/contract/content/profiles.ts';
import { postPath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatDuration } from '../../../platform/dates.ts';
import { toPictureProps } from '../../../platform/pictures.ts';
import { apiInfiniteQuery } from '../../../platform/query.ts';
import { cx } from '../../../ui/class-names.ts';
import type { IconName } from '../../../ui/icon.tsx';
import { UiLink } from '../../../ui/link.tsx';
import { MediaKindIcon, Picture, PictureBadge } from '../../../ui/picture.tsx';
import { PostCard } from './post-card.tsx';
import * as texts from './texts.ts';
import { formatWaysIn, WaysIn } from './ways-in.tsx';

type PostLayout = Pick<Profile, 'shape' | 'format'>;

/** A square frame is filled. In a round frame the picture stays whole, and its badge stays square. */
const FRAME_CLASSES: Record<PostLayout['shape'], string> = {
  box: '',
  round: '[&_.mat]:rounded-[20px] [&_.mat]:border [&_.mat]:border-line [&_.mat]:p-2',
};

export function PostGallery({ posts, layout, now }: { posts: readonly Post[]; layout: PostLayout; now?: string }) {
  const isGrid = layout.format === 'row';
  return (
    <ul
      className={cx(
        'grid',
        FRAME_CLASSES[layout.shape],
        isGrid && 'grid-cols-2 gap-x-2 gap-y-6 lg:grid-cols-3 lg:gap-x-4 lg:gap-y-8',
        !isGrid && 'mx-auto max-w-[640px] gap-y-10',
      )}
    >
      {posts.map((post, index) => (
        <li key={post.id} className="min-w-0">
          <PostCard
            post={post}
            now={now}
            isSingle={!isGrid}
            isContained={layout.shape === 'round'}
            hasPin
            isPriority={index < 2}
            sizes={isGrid ? '(min-width: 60rem) 22vw, 50vw' : '(min-width: 43.75rem) 640px, 100vw'}
          />
        </li>
      ))}
    </ul>
  );
}

export type PostedMediaKind = (typeof POSTED_MEDIA_KINDS)[number];
const PAGE_SIZE = 24;

export const postedMediaQuery = (creatorId: Profile['id'], kind: PostedMediaKind, offset: string | null) =>
  apiInfiniteQuery(listCreatorMedia, {
    params: { creatorId },
    query: { kind, limit: PAGE_SIZE, ...(offset && { offset }) },
  });

const KIND_BADGES: Record<PostedMedia['media']['kind'], { icon: IconName; label: string } | undefined> = {
  picture: undefined,
  video: { icon: 'play', label: texts.video },
  audio: { icon: 'sound', label: texts.audio },
};
const KIND_LABELS = { picture: texts.photo, video: texts.video, audio: texts.audio } as const;

function MediaTile({
  postedMedia,
  isWhole,
  isPriority,
}: {
  postedMedia: PostedMedia;
  isWhole: boolean;
  isPriority: boolean;
}) {
  const { media, isUnlocked, isPurchased, title, postId } = postedMedia;
  const kind = KIND_BADGES[media.kind];
  const length = media.durationSeconds === null ? '' : ` ${formatDuration(media.durationSeconds)}`;
  const state = isUnlocked
    ? isPurchased
      ? texts.unlockedState
      : ''
    : formatText(texts.lockedPriceState, { price: formatWaysIn(postedMedia) });
  return (
    <UiLink
      href={postPath(postId)}
      className="block"
      aria-label={`${KIND_LABELS[media.kind]}${length}: ${title || texts.untitled}${state}`}
    >
      <span className="mat">
        <Picture
          {...toPictureProps(media.isLocked ? media.preview : media.picture, '(min-width: 60rem) 22vw, 33vw', {
            ratio: '1',
            ...(isWhole && { fit: 'contain' as const }),
            priority: isPriority,
            alt: '',
          })}
        >
          {!isUnlocked && (
            <PictureBadge icon="lock">
              <WaysIn post={postedMedia} isShort />
            </PictureBadge>
          )}
          {kind && <MediaKindIcon {...kind} />}
        </Picture>
      </span>
    </UiLink>
  );
}

export function MediaGallery({ media, layout }: { media: readonly PostedMedia[]; layout: PostLayout }) {
  return (
    <ul
      className={cx(
        'grid grid-cols-3 gap-1 lg:gap-2',
        FRAME_CLASSES[layout.shape],
        'max-lg:[&_.mat]:rounded-2 max-lg:[&_.mat]:p-1',
        'max-lg:[&_.seal]:min-h-6 max-lg:[&_.seal]:gap-1 max-lg:[&_.seal]:px-1.5 max-lg:[&_.seal]:text-cap',
      )}
    >
      {media.map((postedMedia, index) => (
        // A phone has no space for the lock next to both prices.
        <li
          key={postedMedia.media.id}
          className={cx('min-w-0', postedMedia.subscription && 'max-lg:[&_.seal>svg]:hidden')}
        >
          <MediaTile postedMedia={postedMedia} isWhole={layout.shape === 'round'} isPriority={index < 6} />
        </li>
      ))}
    </ul>
  );
}
