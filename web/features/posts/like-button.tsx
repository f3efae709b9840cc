/** Like under fast fingers: shown at once, sent one at a time, the last wish wins. */
import { likeUnlike, type Post } from '@stagedoor/contract/posts.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useApiMutation } from '../../kernel/mutation.ts';
import { useViewer } from '../../kernel/session.ts';
import { IconButton } from '../../ui/button.tsx';
import { changePost } from './cache.ts';

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
  const [wish, setWish] = useState<boolean>();
  const latest = useRef(post.isLiked);
  const isSending = useRef(false);
  const client = useQueryClient();
  const { mutateAsync } = useApiMutation(likeUnlike);
  /** Sends until the server's state is the last wish. */
  const settle = async (): Promise<void> => {
    isSending.current = true;
    try {
      for (;;) {
        const answer = await mutateAsync({ params: { id: post.id }, body: { isLiked: latest.current } });
        if (answer.isLiked !== latest.current) continue;
        changePost(client, post.id, (kept) => ({ ...kept, ...answer }));
        break;
      }
    } catch {
      // Said in a toast; what the server last told stands again.
    } finally {
      isSending.current = false;
      setWish(undefined);
    }
  };
  const isLiked = wish ?? post.isLiked;
  const likeCount = post.likeCount + Number(isLiked) - Number(post.isLiked);
  const press = () => {
    latest.current = !isLiked;
    setWish(!isLiked);
    if (!isSending.current) void settle();
  };
  return (
    <IconButton
      icon="heart"
      label={likeLabel(likeCount)}
      text={likeCount.toLocaleString('en-US')}
      aria-pressed={isLiked}
      onClick={press}
    />
  );
}
