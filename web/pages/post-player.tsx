import type { PostMedia, Stream } from '@stagedoor/contract/content/pictures.ts';
import { getPost, type Post } from '@stagedoor/contract/content/posts.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useQueryClient } from '@tanstack/react-query';
import { MediaPlayer } from '../modules/content/media/player/media-player.tsx';
import { PlainMedia } from '../modules/content/media/player/plain-media.tsx';
import type { MediaPlayerProps } from '../modules/content/media/player/player-props.ts';
import { toTeaserMedia } from '../modules/content/media/player/teaser.ts';
import type { ViewerItem } from '../modules/content/media/player/viewer-lightbox.tsx';
import { invalidatePost } from '../modules/content/posts/cache.ts';
import { describeMedia } from '../modules/content/posts/post-card.tsx';
import { formatWaysIn } from '../modules/content/posts/ways-in.tsx';
import { api } from '../platform/mutation.ts';
import { useViewer } from '../platform/session.ts';
import * as texts from './texts.ts';

export function toViewerItems(post: Post): ViewerItem[] {
  return post.media.flatMap((item) => {
    if (item.isLocked || item.kind === 'audio') return [];
    const { id, kind, picture, stream } = item;
    return [{ id, kind, picture, stream }];
  });
}

export type PostPlayerProps = Pick<
  MediaPlayerProps,
  'sizes' | 'ratio' | 'isPriority' | 'isCompact' | 'pausesOutOfView' | 'className'
> & {
  post: Post;
  item: PostMedia;
};

/** Reloads the post for new stream addresses. Returns null if the item is locked or deleted. */
async function fetchStream(postId: Post['id'], mediaId: string): Promise<Stream | null> {
  const post = await api(getPost, { params: { id: postId } }, { showErrorMessage: false });
  const item = post.media.find(({ id }) => id === mediaId);
  return item && !item.isLocked ? item.stream : null;
}

/** A player for one item of a post. Renders nothing for pictures and for locked items without a teaser. */
export function PostPlayer({ post, item, ...options }: PostPlayerProps) {
  const viewer = useViewer();
  const client = useQueryClient();
  const title = post.title || formatText(texts.postBy, { name: post.author.name });
  const teaser = item.isLocked ? toTeaserMedia(item) : undefined;
  const media = item.isLocked ? teaser?.media : item;
  if (!media || item.kind === 'picture') return null;
  if (!viewer)
    return <PlainMedia media={media} title={teaser ? formatText(texts.previewTitle, { title }) : title} {...options} />;
  return (
    <MediaPlayer
      {...options}
      media={media}
      title={teaser ? formatText(texts.previewMention, { title }) : title}
      artist={post.author.name}
      label={teaser?.label}
      price={
        teaser && (
          <>
            <span className="sr-only">{formatText(texts.lockedPost, { post: describeMedia(post) })} </span>
            {formatWaysIn(post)}
          </>
        )
      }
      isPositionSaved={!item.isLocked}
      renew={item.isLocked ? undefined : () => fetchStream(post.id, item.id)}
      onEnded={() => void invalidatePost(client, post.id)}
    />
  );
}
