/**
 * Pending likes until the server confirms them: shown immediately, sent one at a time, the last press wins. They
 * outlive their button and wait for a lost connection.
 */
import { ApiError } from '../../../platform/api-error.ts';

export interface LikeState {
  isLiked: boolean;
  likeCount: number;
}

export interface PendingLikesOptions {
  send: (postId: string, isLiked: boolean) => Promise<LikeState>;
  /** Resolves when a retry after a lost connection makes sense. */
  waitForConnection: () => Promise<void>;
  onSettled: (postId: string, liked: LikeState) => void;
  onRefused: (error: unknown) => void;
  /** The connection is lost. Called once per waiting like. */
  onOffline: () => void;
}

export interface PendingLikes {
  findIntent: (postId: string) => boolean | undefined;
  setIntent: (postId: string, isLiked: boolean) => void;
  subscribe: (listener: () => void) => () => void;
}

export function createPendingLikes(options: PendingLikesOptions): PendingLikes {
  const intents = new Map<string, boolean>();
  const sending = new Set<string>();
  const listeners = new Set<() => void>();
  const notifyListeners = () => {
    for (const listener of listeners) listener();
  };

  const sendLatest = async (postId: string): Promise<void> => {
    let hasReportedOffline = false;
    for (;;) {
      const intent = intents.get(postId);
      if (intent === undefined) return;
      try {
        const liked = await options.send(postId, intent);
        if (intents.get(postId) !== liked.isLiked) continue;
        intents.delete(postId);
        options.onSettled(postId, liked);
        return;
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'NETWORK') {
          intents.delete(postId);
          options.onRefused(error);
          return;
        }
        if (!hasReportedOffline) options.onOffline();
        hasReportedOffline = true;
        await options.waitForConnection();
      }
    }
  };

  return {
    findIntent: (postId) => intents.get(postId),
    setIntent: (postId, isLiked) => {
      intents.set(postId, isLiked);
      notifyListeners();
      if (sending.has(postId)) return;
      sending.add(postId);
      void sendLatest(postId).finally(() => {
        sending.delete(postId);
        notifyListeners();
      });
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
