/**
 * Limits how much of a shared resource one account, or one network of anonymous callers, holds at once. Excess callers
 * wait for their own share only. A caller that already holds a share is not limited, because it would wait for itself.
 * Nor is work outside of requests.
 */
import { type Asking, whoAsks } from './asking.ts';

type Share = { held: number; readonly line: Set<() => void> };
export type GiveBack = () => void;

const nothing: GiveBack = () => undefined;

/** `most`: limit of one caller. Throws `refusal()` after waiting `waitMs`. */
export function createShares(options: {
  most: (who: Asking) => number;
  waitMs: number;
  refusal: () => Error;
}): () => GiveBack | Promise<GiveBack> {
  const { most, waitMs, refusal } = options;
  const shares = new Map<string, Share>();

  const giverOf = (key: string, share: Share): GiveBack => {
    let isGiven = false;
    return () => {
      if (isGiven) return;
      isGiven = true;
      const [next] = share.line;
      // The slot passes to the next waiter, so `held` stays as it is.
      if (next) return next();
      share.held -= 1;
      if (share.held === 0) shares.delete(key);
    };
  };

  return () => {
    const who = whoAsks();
    if (!who || who.isServed) return nothing;
    const key = who.userId ?? who.network;
    const share = shares.get(key) ?? { held: 0, line: new Set() };
    shares.set(key, share);
    if (share.held < most(who)) {
      share.held += 1;
      return giverOf(key, share);
    }
    return new Promise((resolve, reject) => {
      const taken = () => {
        clearTimeout(timer);
        share.line.delete(taken);
        resolve(giverOf(key, share));
      };
      const timer = setTimeout(() => {
        share.line.delete(taken);
        reject(refusal());
      }, waitMs);
      share.line.add(taken);
    });
  };
}
