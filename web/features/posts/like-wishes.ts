/**
 * What people wish about likes, until the server agrees: shown at once, sent one at a time, the last wish wins. Wishes outlive
 * the button they came from, and wait for a lost connection to come back.
 */
import { ApiError } from '../../kernel/api-error.ts';

export interface Liked {
  isLiked: boolean;
  likeCount: number;
}

export interface LikeWishesOptions {
  send: (postId: string, isLiked: boolean) => Promise<Liked>;
  /** Resolves when it is worth another try after the connection was lost. */
  reconnected: () => Promise<void>;
  onSettled: (postId: string, liked: Liked) => void;
  /** A refusal: the wish is dropped. */
  onRefused: (error: unknown) => void;
  /** The connection is lost; told once for each wish that waits. */
  onWaiting: () => void;
}

export interface LikeWishes {
  /** The wish that is not settled yet. */
  wishFor: (postId: string) => boolean | undefined;
  wish: (postId: string, isLiked: boolean) => void;
  /** Answers the function that stops listening. */
  subscribe: (listener: () => void) => () => void;
}

export function createLikeWishes(options: LikeWishesOptions): LikeWishes {
  const wishes = new Map<string, boolean>();
  const sending = new Set<string>();
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) listener();
  };

  /** Sends until the server's state is the last wish. */
  const settle = async (postId: string): Promise<void> => {
    let hasWaited = false;
    for (;;) {
      const wanted = wishes.get(postId);
      if (wanted === undefined) return;
      try {
        const liked = await options.send(postId, wanted);
        if (wishes.get(postId) !== liked.isLiked) continue;
        wishes.delete(postId);
        options.onSettled(postId, liked);
        return;
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'NETWORK') {
          wishes.delete(postId);
          options.onRefused(error);
          return;
        }
        if (!hasWaited) options.onWaiting();
        hasWaited = true;
        await options.reconnected();
      }
    }
  };

  return {
    wishFor: (postId) => wishes.get(postId),
    wish: (postId, isLiked) => {
      wishes.set(postId, isLiked);
      tell();
      if (sending.has(postId)) return;
      sending.add(postId);
      void settle(postId).finally(() => {
        sending.delete(postId);
        tell();
      });
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
