/** A post hung among others: its picture or blurred preview, its name, and what it holds or costs. */
import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import type { Picture } from '@stagedoor/contract/pictures.ts';
import type { Post } from '@stagedoor/contract/posts.ts';
import { formatDay, formatDuration, plural } from '../../kernel/dates.ts';
import { pictureProps } from '../../kernel/pictures.ts';
import { MediaCard } from '../../ui/card.tsx';
import { YoursDot } from '../../ui/label.tsx';

/** What stands for a post: its first item, open or locked. */
export function leadPicture(post: Post): Picture | undefined {
  const first = post.media[0];
  return first && (first.isLocked ? first.preview : first.picture);
}

/** "6 photos", "Video, 18:40". */
export function describeMedia(post: Post): string {
  const video = post.media.find((item) => item.kind === 'video');
  if (video) return video.durationSeconds === null ? 'Video' : `Video, ${formatDuration(video.durationSeconds)}`;
  return plural(post.mediaCount, 'photo');
}

export type PostCardProps = {
  post: Post;
  /** As in HTML: how wide it will be shown. */
  sizes: string;
  /** Now, in ISO form, to say when it was published; left out, the card does not say. */
  now?: string | undefined;
  ratio?: string;
  isPriority?: boolean;
  hasAuthor?: boolean;
  /** Marks what the viewer has bought; needless where everything is bought. */
  hasYours?: boolean;
};

export function PostCard({
  post,
  sizes,
  now,
  ratio = '4 / 5',
  isPriority = false,
  hasAuthor = false,
  hasYours = true,
}: PostCardProps) {
  const lead = leadPicture(post);
  const what = [hasAuthor ? post.author.name : undefined, describeMedia(post), now && formatDay(post.createdAt, now)]
    .filter(Boolean)
    .join(' · ');
  return (
    <MediaCard
      href={`/post/${post.id}`}
      picture={lead ? pictureProps(lead, sizes, { ratio, priority: isPriority }) : { alt: '', ratio }}
      seal={post.isUnlocked ? undefined : { icon: 'lock', text: formatUsd(post.price) }}
      kind={
        post.type === 'video'
          ? { icon: 'play', label: 'Video' }
          : post.mediaCount > 1
            ? { icon: 'images', label: 'Several photos' }
            : undefined
      }
      label={{
        who: post.title || 'Untitled',
        stacked: true,
        what:
          hasYours && post.isPurchased ? (
            <>
              <YoursDot /> · {what}
            </>
          ) : (
            what
          ),
      }}
    />
  );
}
