import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import type { PostMedia, Stream } from '@stagedoor/contract/pictures.ts';
import { getPost, type Post } from '@stagedoor/contract/posts.ts';
import { useQueryClient } from '@tanstack/react-query';
import { MediaPlayer, type MediaPlayerProps } from '../features/player/media-player.tsx';
import type { Shown } from '../features/player/media-viewer.tsx';
import { PlainMedia } from '../features/player/plain-media.tsx';
import { teaserOf } from '../features/player/teaser.ts';
import { forgetPost } from '../features/posts/cache.ts';
import { describeMedia } from '../features/posts/post-card.tsx';
import { api } from '../kernel/mutation.ts';
import { useViewer } from '../kernel/session.ts';

export function shownOf(post: Post): Shown[] {
  return post.media.flatMap((item) => {
    if (item.isLocked || item.kind === 'audio') return [];
    const { id, kind, picture, stream } = item;
    return [{ id, kind, picture, stream }];
  });
}

export type PlayedProps = Pick<
  MediaPlayerProps,
  'sizes' | 'ratio' | 'isPriority' | 'isCompact' | 'pausesOutOfView' | 'className'
> & {
  post: Post;
  item: PostMedia;
};

/** Reloads the post for new stream addresses. Returns null if the item is locked or deleted. */
async function freshStream(postId: Post['id'], mediaId: string): Promise<Stream | null> {
  const post = await api(getPost, { params: { id: postId } }, { showErrorMessage: false });
  const item = post.media.find(({ id }) => id === mediaId);
  return item && !item.isLocked ? item.stream : null;
}

/** A player for one item of a post. Renders nothing for pictures and for locked items without a teaser. */
export function Played({ post, item, ...look }: PlayedProps) {
  const viewer = useViewer();
  const client = useQueryClient();
  const title = post.title || `Post by ${post.author.name}`;
  const taste = item.isLocked ? teaserOf(item) : undefined;
  const media = item.isLocked ? taste?.media : item;
  if (!media || item.kind === 'picture') return null;
  if (!viewer) return <PlainMedia media={media} title={taste ? `Preview of ${title}` : title} {...look} />;
  return (
    <MediaPlayer
      {...look}
      media={media}
      title={taste ? `the preview of ${title}` : title}
      artist={post.author.name}
      words={taste?.words}
      price={
        taste && (
          <>
            <span className="sr-only">{describeMedia(post)}, locked, </span>
            {formatUsd(post.price)}
          </>
        )
      }
      isRemembered={!item.isLocked}
      renew={item.isLocked ? undefined : () => freshStream(post.id, item.id)}
      onEnded={() => void forgetPost(client, post.id)}
    />
  );
}
