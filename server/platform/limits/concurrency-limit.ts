/**
 * Limits how much of a shared resource one account, or one network of anonymous callers, holds at once. Excess callers
 * wait for their own share only. A caller that already holds a share is not limited, because it would wait for itself.
 * Nor is work outside of requests.
 */
import { findRequester, type Requester } from '../http/request-context.ts';

type CallerSlots = { used: number; readonly waiters: Set<() => void> };
export type ReleaseSlot = () => void;

const releaseNothing: ReleaseSlot = () => undefined;

/** `getMaxSlots`: limit of one caller. Throws `createError()` after waiting `waitMs`. */
export function createConcurrencyLimit(options: {
  getMaxSlots: (requester: Requester) => number;
  waitMs: number;
  createError: () => Error;
}): () => ReleaseSlot | Promise<ReleaseSlot> {
  const { getMaxSlots, waitMs, createError } = options;
  const slotsByCaller = new Map<string, CallerSlots>();

  const createRelease = (key: string, slots: CallerSlots): ReleaseSlot => {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      const [next] = slots.waiters;
      // The slot passes to the next waiter, so `used` stays as it is.
      if (next) return next();
      slots.used -= 1;
      if (slots.used === 0) slotsByCaller.delete(key);
    };
  };

  return () => {
    const requester = findRequester();
    if (!requester || requester.hasSlot) return releaseNothing;
    const key = requester.userId ?? requester.network;
    const slots = slotsByCaller.get(key) ?? { used: 0, waiters: new Set() };
    slotsByCaller.set(key, slots);
    if (slots.used < getMaxSlots(requester)) {
      slots.used += 1;
      return createRelease(key, slots);
    }
    return new Promise((resolve, reject) => {
      const takeSlot = () => {
        clearTimeout(timer);
        slots.waiters.delete(takeSlot);
        resolve(createRelease(key, slots));
      };
      const timer = setTimeout(() => {
        slots.waiters.delete(takeSlot);
        reject(createError());
      }, waitMs);
      slots.waiters.add(takeSlot);
    });
  };
}
