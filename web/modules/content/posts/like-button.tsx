import { likeUnlikePost, type Post } from '@stagedoor/contract/content/posts.ts';
import { postPath, signupGatePath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useSyncExternalStore } from 'react';
import { getBrowserClient } from '../../../platform/browser.ts';
import { showFailure, showToast } from '../../../platform/feedback.ts';
import { api } from '../../../platform/mutation.ts';
import { useViewer } from '../../../platform/session.ts';
import { IconButton } from '../../../ui/button.tsx';
import { updateCachedPost } from './cache.ts';
import { createPendingLikes } from './pending-likes.ts';
import * as texts from './texts.ts';

type Likeable = Pick<Post, 'id' | 'isLiked' | 'likeCount'>;

function formatLikeLabel(count: number): string {
  return formatText(texts.likeLabel, { count: count.toLocaleString('en-US'), unit: count === 1 ? 'like' : 'likes' });
}

export function LikeButton({ post }: { post: Likeable }) {
  const viewer = useViewer();
  if (viewer) return <LikeToggle post={post} />;
  return (
    <IconButton
      icon="heart"
      label={formatLikeLabel(post.likeCount)}
      text={post.likeCount.toLocaleString('en-US')}
      href={signupGatePath('like', postPath(post.id))}
    />
  );
}

const RETRY_MS = 5_000;

/** Resolves when the browser is online again, or after a while, because a lost connection may go unnoticed. */
function waitForConnection(): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      removeEventListener('online', finish);
      resolve();
    };
    const timer = setTimeout(finish, RETRY_MS);
    addEventListener('online', finish);
  });
}

const pendingLikes = createPendingLikes({
  send: (postId, isLiked) =>
    api(likeUnlikePost, { params: { id: postId }, body: { isLiked } }, { showErrorMessage: false }),
  waitForConnection,
  onSettled: (postId, liked) => updateCachedPost(getBrowserClient(), postId, (cached) => ({ ...cached, ...liked })),
  onRefused: (error) => showFailure(error),
  onOffline: () => void showToast(texts.offlineLikeHint, 'info', { id: 'like-waits' }),
});

function LikeToggle({ post }: { post: Likeable }) {
  const intent = useSyncExternalStore(
    pendingLikes.subscribe,
    () => pendingLikes.findIntent(post.id),
    () => undefined,
  );
  const isLiked = intent ?? post.isLiked;
  const likeCount = post.likeCount + Number(isLiked) - Number(post.isLiked);
  return (
    <IconButton
      icon="heart"
      label={formatLikeLabel(likeCount)}
      text={likeCount.toLocaleString('en-US')}
      aria-pressed={isLiked}
      onClick={() => pendingLikes.setIntent(post.id, !(pendingLikes.findIntent(post.id) ?? post.isLiked))}
    />
  );
}
