/**
 * What one account, or of who has none one network, may hold at once of something that all share. Who wants more waits for what is
 * theirs, and not for what is everybody's. What runs for nobody (asking.ts) is not held to it, nor what is asked by who holds some of it
 * already: they would wait for themselves.
 */
import { type Asking, whoAsks } from './asking.ts';

type Share = { held: number; readonly line: Set<() => void> };
export type GiveBack = () => void;

const nothing: GiveBack = () => undefined;

/** `most` of one. Throws `refusal()` after waiting `waitMs`. */
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
      // Who leaves hands the place over, so `held` stays as it is.
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
