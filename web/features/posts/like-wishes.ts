/**
 * Pending likes until the server confirms them: shown immediately, sent one at a time, the last press wins. They
 * outlive their button and wait for a lost connection.
 */
import { ApiError } from '../../kernel/api-error.ts';

export interface Liked {
  isLiked: boolean;
  likeCount: number;
}

export interface LikeWishesOptions {
  send: (postId: string, isLiked: boolean) => Promise<Liked>;
  /** Resolves when a retry after a lost connection makes sense. */
  reconnected: () => Promise<void>;
  onSettled: (postId: string, liked: Liked) => void;
  onRefused: (error: unknown) => void;
  /** The connection is lost. Called once per waiting like. */
  onWaiting: () => void;
}

export interface LikeWishes {
  wishFor: (postId: string) => boolean | undefined;
  wish: (postId: string, isLiked: boolean) => void;
  subscribe: (listener: () => void) => () => void;
}

export function createLikeWishes(options: LikeWishesOptions): LikeWishes {
  const wishes = new Map<string, boolean>();
  const sending = new Set<string>();
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) listener();
  };

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
