import type { Picture } from '@stagedoor/contract/content/pictures.ts';
import type { Post } from '@stagedoor/contract/content/posts.ts';
import { postPath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { isolateText } from '../../../platform/bidi.ts';
import { formatCount, formatDay, formatDuration } from '../../../platform/dates.ts';
import { toPictureProps } from '../../../platform/pictures.ts';
import { useViewer } from '../../../platform/session.ts';
import { useContentProtection } from '../../../platform/use-content-protection.ts';
import { MediaCard } from '../../../ui/card.tsx';
import type { IconName } from '../../../ui/icon.tsx';
import { OwnedDot } from '../../../ui/label.tsx';
import * as texts from './texts.ts';
import { WaysIn } from './ways-in.tsx';

export function findLeadPicture(post: Post): Picture | undefined {
  const first = post.media[0];
  return first && (first.isLocked ? first.preview : first.picture);
}

const PLAYABLE_LABELS = { video: texts.video, audio: texts.audio } as const;

/** Describes the media, such as "6 photos", "Video, 18:40" or "Audio, 03:12". */
export function describeMedia(post: Post): string {
  for (const { kind, durationSeconds } of post.media) {
    if (kind === 'picture') continue;
    return durationSeconds === null
      ? PLAYABLE_LABELS[kind]
      : `${PLAYABLE_LABELS[kind]}, ${formatDuration(durationSeconds)}`;
  }
  return formatCount(post.mediaCount, 'photo');
}

export function findKindBadge({ type }: Pick<Post, 'type'>): { icon: IconName; label: string } | undefined {
  if (type === 'video') return { icon: 'play', label: texts.video };
  if (type === 'audio') return { icon: 'sound', label: texts.audio };
  return type === 'pictureSet' ? { icon: 'images', label: texts.severalPhotos } : undefined;
}

export function toPictureRatio({ width, height }: Pick<Picture, 'width' | 'height'>): string {
  return `${width} / ${height}`;
}

export function PostName({ post: { title, author } }: { post: Pick<Post, 'title' | 'author'> }) {
  return <bdi>{title || formatText(texts.postByName, { authorName: isolateText(author.name) })}</bdi>;
}

export function OwnedLabel({ post: { paid } }: { post: Pick<Post, 'paid'> }) {
  return (
    <OwnedDot>
      {paid === null ? texts.unlocked : formatText(texts.unlockedForPrice, { price: formatUsd(paid) })}
    </OwnedDot>
  );
}

/** Enables content protection while a paid and unlocked post of another creator is shown. */
export function useProtectedPosts(posts: readonly Post[]): void {
  const viewer = useViewer();
  const isPaidContent = ({ price, media, author }: Post) =>
    price > 0 && media.some(({ isLocked }) => !isLocked) && viewer?.id !== author.id;
  useContentProtection(posts.some(isPaidContent));
}

export type PostCardProps = {
  post: Post;
  /** The HTML `sizes` attribute. */
  sizes: string;
  /** ISO timestamp to show the age of the post. Without it, no age is shown. */
  now?: string | undefined;
  ratio?: string;
  isContained?: boolean;
  isSingle?: boolean;
  isPriority?: boolean;
  hasAuthor?: boolean;
  hasOwnedLabel?: boolean;
  hasPin?: boolean;
  /** Leaves out the tier on pictures that are too small for both prices. */
  hasTier?: boolean;
};

export function PostCard({
  post,
  sizes,
  now,
  isSingle = false,
  ratio = '4 / 5',
  isContained = false,
  isPriority = false,
  hasAuthor = false,
  hasOwnedLabel = true,
  hasPin = false,
  hasTier = true,
}: PostCardProps) {
  const lead = findLeadPicture(post);
  const detail = [
    hasPin && post.isPinned && texts.pinned,
    hasAuthor && isolateText(post.author.name),
    describeMedia(post),
    now && formatDay(post.createdAt, now),
  ]
    .filter(Boolean)
    .join(' · ');
  return (
    <MediaCard
      href={postPath(post.id)}
      picture={
        lead
          ? toPictureProps(lead, sizes, {
              priority: isPriority,
              ...(isSingle ? { className: 'hung' } : { ratio, ...(isContained && { fit: 'contain' as const }) }),
            })
          : { alt: '', ratio }
      }
      seal={
        post.isUnlocked
          ? undefined
          : { icon: 'lock', text: hasTier ? <WaysIn post={post} isShort /> : formatUsd(post.price) }
      }
      kind={findKindBadge(post)}
      label={{
        title: post.title || texts.untitled,
        stacked: true,
        detail:
          hasOwnedLabel && post.isPurchased ? (
            <>
              <OwnedLabel post={post} /> · {detail}
            </>
          ) : (
            detail
          ),
      }}
    />
  );
}
