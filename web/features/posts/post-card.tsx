import { postPath } from '@stagedoor/contract/addresses.ts';
import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import type { Picture } from '@stagedoor/contract/pictures.ts';
import type { Post } from '@stagedoor/contract/posts.ts';
import { isolated } from '../../kernel/bidi.ts';
import { formatDay, formatDuration, plural } from '../../kernel/dates.ts';
import { pictureProps } from '../../kernel/pictures.ts';
import { useProtectedMedia } from '../../kernel/protected-page.ts';
import { useViewer } from '../../kernel/session.ts';
import { MediaCard } from '../../ui/card.tsx';
import type { IconName } from '../../ui/icon.tsx';
import { YoursDot } from '../../ui/label.tsx';

export function leadPicture(post: Post): Picture | undefined {
  const first = post.media[0];
  return first && (first.isLocked ? first.preview : first.picture);
}

const PLAYED = { video: 'Video', audio: 'Audio' } as const;

/** Describes the media, such as "6 photos", "Video, 18:40" or "Audio, 03:12". */
export function describeMedia(post: Post): string {
  for (const { kind, durationSeconds } of post.media) {
    if (kind === 'picture') continue;
    return durationSeconds === null ? PLAYED[kind] : `${PLAYED[kind]}, ${formatDuration(durationSeconds)}`;
  }
  return plural(post.mediaCount, 'photo');
}

export function kindOfPost({ type }: Pick<Post, 'type'>): { icon: IconName; label: string } | undefined {
  if (type === 'video') return { icon: 'play', label: 'Video' };
  if (type === 'audio') return { icon: 'sound', label: 'Audio' };
  return type === 'pictureSet' ? { icon: 'images', label: 'Several photos' } : undefined;
}

export function ownRatio({ width, height }: Pick<Picture, 'width' | 'height'>): string {
  return `${width} / ${height}`;
}

export function PostName({ post: { title, author } }: { post: Pick<Post, 'title' | 'author'> }) {
  return <bdi>{title || `Post by ${isolated(author.name)}`}</bdi>;
}

export function Yours({ post: { paid } }: { post: Pick<Post, 'paid'> }) {
  return <YoursDot>{paid === null ? 'Unlocked' : `Unlocked · ${formatUsd(paid)}`}</YoursDot>;
}

/** Enables content protection while a paid and unlocked post of another creator is shown. */
export function useProtectedPosts(posts: readonly Post[]): void {
  const viewer = useViewer();
  const isOpenedByPaying = ({ price, media, author }: Post) =>
    price > 0 && media.some(({ isLocked }) => !isLocked) && viewer?.id !== author.id;
  useProtectedMedia(posts.some(isOpenedByPaying));
}

export type PostCardProps = {
  post: Post;
  /** The HTML `sizes` attribute. */
  sizes: string;
  /** ISO timestamp to show the age of the post. Without it, no age is shown. */
  now?: string | undefined;
  ratio?: string;
  isWhole?: boolean;
  isAlone?: boolean;
  isPriority?: boolean;
  hasAuthor?: boolean;
  hasYours?: boolean;
  hasPin?: boolean;
};

export function PostCard({
  post,
  sizes,
  now,
  isAlone = false,
  ratio = '4 / 5',
  isWhole = false,
  isPriority = false,
  hasAuthor = false,
  hasYours = true,
  hasPin = false,
}: PostCardProps) {
  const lead = leadPicture(post);
  const what = [
    hasPin && post.isPinned && 'Pinned',
    hasAuthor && isolated(post.author.name),
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
          ? pictureProps(lead, sizes, {
              priority: isPriority,
              ...(isAlone ? { className: 'hung' } : { ratio, ...(isWhole && { fit: 'contain' as const }) }),
            })
          : { alt: '', ratio }
      }
      seal={post.isUnlocked ? undefined : { icon: 'lock', text: formatUsd(post.price) }}
      kind={kindOfPost(post)}
      label={{
        who: post.title || 'Untitled',
        stacked: true,
        what:
          hasYours && post.isPurchased ? (
            <>
              <Yours post={post} /> · {what}
            </>
          ) : (
            what
          ),
      }}
    />
  );
}
