/** A post hung among others: its picture or blurred preview, its name, and what it holds or costs. */

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

/** What stands for a post: its first item, open or locked. */
export function leadPicture(post: Post): Picture | undefined {
  const first = post.media[0];
  return first && (first.isLocked ? first.preview : first.picture);
}

const PLAYED = { video: 'Video', audio: 'Audio' } as const;

/** "6 photos", "Video, 18:40", "Audio, 03:12". */
export function describeMedia(post: Post): string {
  for (const { kind, durationSeconds } of post.media) {
    if (kind === 'picture') continue;
    return durationSeconds === null ? PLAYED[kind] : `${PLAYED[kind]}, ${formatDuration(durationSeconds)}`;
  }
  return plural(post.mediaCount, 'photo');
}

/** What the corner of a post's picture says of what it holds. */
export function kindOfPost({ type }: Pick<Post, 'type'>): { icon: IconName; label: string } | undefined {
  if (type === 'video') return { icon: 'play', label: 'Video' };
  if (type === 'audio') return { icon: 'sound', label: 'Audio' };
  return type === 'pictureSet' ? { icon: 'images', label: 'Several photos' } : undefined;
}

/** A picture's own ratio, as CSS has it: where work hangs alone it is whole. */
export function ownRatio({ width, height }: Pick<Picture, 'width' | 'height'>): string {
  return `${width} / ${height}`;
}

/** What a post is called: by the first words of its caption, or by its author. */
export function PostName({ post: { title, author } }: { post: Pick<Post, 'title' | 'author'> }) {
  return <bdi>{title || `A post by ${isolated(author.name)}`}</bdi>;
}

/** "Yours · $8.00": the receipt that stays on what was bought. */
export function Yours({ post: { paid } }: { post: Pick<Post, 'paid'> }) {
  return <YoursDot>{paid === null ? 'Yours' : `Yours · ${formatUsd(paid)}`}</YoursDot>;
}

/** Protects what is shown while one of these posts stands open by paying, to somebody who is not its author. */
export function useProtectedPosts(posts: readonly Post[]): void {
  const viewer = useViewer();
  const isOpenedByPaying = ({ price, media, author }: Post) =>
    price > 0 && media.some(({ isLocked }) => !isLocked) && viewer?.id !== author.id;
  useProtectedMedia(posts.some(isOpenedByPaying));
}

export type PostCardProps = {
  post: Post;
  /** As in HTML: how wide it will be shown. */
  sizes: string;
  /** Now, in ISO form, to say when it was published; left out, the card does not say. */
  now?: string | undefined;
  /** The room that it fills, as its neighbours do. */
  ratio?: string;
  /** Lies in that room whole instead, with what is left around it. */
  isWhole?: boolean;
  /** Hung by its own ratio instead. */
  isAlone?: boolean;
  isPriority?: boolean;
  hasAuthor?: boolean;
  /** Marks what the viewer has bought; needless where everything is bought. */
  hasYours?: boolean;
  /** Says that it is pinned, where that is why it comes first. */
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
