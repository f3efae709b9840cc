/** Like under fast fingers: shown at once, sent one at a time, the last wish wins. */
import { likeUnlike, type Post } from '@stagedoor/contract/posts.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useApiMutation } from '../../kernel/mutation.ts';
import { useViewer } from '../../kernel/session.ts';
import { IconButton } from '../../ui/button.tsx';
import { forgetPost } from './cache.ts';

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
      href={`/login?next=${encodeURIComponent(`/post/${post.id}`)}`}
    />
  );
}

function Toggle({ post }: { post: Likeable }) {
  const [shown, setShown] = useState({ isLiked: post.isLiked, likeCount: post.likeCount });
  const wish = useRef(post.isLiked);
  const client = useQueryClient();
  const { mutateAsync, isPending } = useApiMutation(likeUnlike);
  /** Sends until the server's state is the last wish. */
  const settle = async (): Promise<void> => {
    try {
      for (;;) {
        const answer = await mutateAsync({ params: { id: post.id }, body: { isLiked: wish.current } });
        if (answer.isLiked !== wish.current) continue;
        setShown(answer);
        return forgetPost(client, post.id);
      }
    } catch {
      wish.current = post.isLiked;
      setShown({ isLiked: post.isLiked, likeCount: post.likeCount });
    }
  };
  const press = () => {
    wish.current = !shown.isLiked;
    setShown({ isLiked: !shown.isLiked, likeCount: shown.likeCount + (shown.isLiked ? -1 : 1) });
    if (!isPending) void settle();
  };
  return (
    <IconButton
      icon="heart"
      label={likeLabel(shown.likeCount)}
      text={shown.likeCount.toLocaleString('en-US')}
      aria-pressed={shown.isLiked}
      onClick={press}
    />
  );
}
