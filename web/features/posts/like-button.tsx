import { doorPath, postPath } from '@stagedoor/contract/addresses.ts';
import { likeUnlike, type Post } from '@stagedoor/contract/posts.ts';
import { useSyncExternalStore } from 'react';
import { browserClient } from '../../kernel/browser.ts';
import { api } from '../../kernel/mutation.ts';
import { showFailure, showToast } from '../../kernel/outcome.ts';
import { useViewer } from '../../kernel/session.ts';
import { IconButton } from '../../ui/button.tsx';
import { changePost } from './cache.ts';
import { createLikeWishes } from './like-wishes.ts';

type Likeable = Pick<Post, 'id' | 'isLiked' | 'likeCount'>;

function likeLabel(count: number): string {
  return `Like, ${count.toLocaleString('en-US')} ${count === 1 ? 'like' : 'likes'}`;
}

export function LikeButton({ post }: { post: Likeable }) {
  const viewer = useViewer();
  if (viewer) return <Toggle post={post} />;
  return (
    <IconButton
      icon="heart"
      label={likeLabel(post.likeCount)}
      text={post.likeCount.toLocaleString('en-US')}
      href={doorPath('like', postPath(post.id))}
    />
  );
}

const RETRY_MS = 5_000;

/** Resolves when the browser is online again, or after a while, because a lost connection may go unnoticed. */
function reconnected(): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener('online', done);
      resolve();
    };
    const timer = setTimeout(done, RETRY_MS);
    addEventListener('online', done);
  });
}

const wishes = createLikeWishes({
  send: (postId, isLiked) =>
    api(likeUnlike, { params: { id: postId }, body: { isLiked } }, { showErrorMessage: false }),
  reconnected,
  onSettled: (postId, liked) => changePost(browserClient(), postId, (kept) => ({ ...kept, ...liked })),
  onRefused: (error) => showFailure(error),
  onWaiting: () =>
    void showToast('You’re offline. We’ll send your like when you’re back.', 'info', { id: 'like-waits' }),
});

function Toggle({ post }: { post: Likeable }) {
  const wish = useSyncExternalStore(
    wishes.subscribe,
    () => wishes.wishFor(post.id),
    () => undefined,
  );
  const isLiked = wish ?? post.isLiked;
  const likeCount = post.likeCount + Number(isLiked) - Number(post.isLiked);
  return (
    <IconButton
      icon="heart"
      label={likeLabel(likeCount)}
      text={likeCount.toLocaleString('en-US')}
      aria-pressed={isLiked}
      onClick={() => wishes.wish(post.id, !(wishes.wishFor(post.id) ?? post.isLiked))}
    />
  );
}
