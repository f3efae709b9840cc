/** Limits how much runs at the same time. */
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { KeyCounts } from './key-counts.ts';

export type ConcurrencyLimitOptions = {
  /** Units of each key that may be in use. */
  readonly max: number;
  /** Callers of each key that may wait for a unit. Defaults to 0. */
  readonly maxWaiting?: number;
  /** Milliseconds after which a waiting caller is refused. By default it is never refused. */
  readonly waitMs?: number;
  /** Defaults to UNAVAILABLE, to be retried after five seconds. */
  readonly createError?: () => Error;
};

/** Without a key, all callers share one limit. */
export interface ConcurrencyLimit {
  isFull(key?: string, units?: number): boolean;
  /** Takes units without waiting, or returns false. */
  tryAcquire(key?: string, units?: number): boolean;
  /** Takes one unit. Returns a promise only if the caller must wait. Throws or rejects with `createError()`. */
  acquire(key?: string): Promise<void> | undefined;
  /** Must be called exactly once for what was acquired. */
  release(key?: string, units?: number): void;
  /** Runs work with one unit. Rejects with `createError()` without running it. */
  run<T>(work: () => Promise<T>, key?: string): Promise<T>;
}

const GLOBAL = '';
const createBusyError = () => new AppError('UNAVAILABLE', { retryAfterSeconds: 5 });

export function createConcurrencyLimit(options: ConcurrencyLimitOptions): ConcurrencyLimit {
  const { max, maxWaiting = 0, waitMs, createError = createBusyError } = options;
  const used = new KeyCounts();
  const waitersByKey = new Map<string, Set<() => void>>();

  const isFull = (key = GLOBAL, units = 1) => used.get(key) + units > max;

  function tryAcquire(key = GLOBAL, units = 1): boolean {
    if (isFull(key, units)) return false;
    used.add(key, units);
    return true;
  }

  function waitForUnit(key: string): Promise<void> {
    const waiters = waitersByKey.get(key) ?? new Set();
    if (waiters.size >= maxWaiting) throw createError();
    waitersByKey.set(key, waiters);
    return new Promise((resolve, reject) => {
      const leave = (settle: () => void) => {
        clearTimeout(timer);
        waiters.delete(take);
        if (waiters.size === 0) waitersByKey.delete(key);
        settle();
      };
      const take = () => leave(resolve);
      const timer = waitMs === undefined ? undefined : setTimeout(leave, waitMs, () => reject(createError()));
      waiters.add(take);
    });
  }

  const acquire = (key = GLOBAL) => (tryAcquire(key) ? undefined : waitForUnit(key));

  function release(key = GLOBAL, units = 1): void {
    const next = waitersByKey.get(key)?.values().next().value;
    // One unit passes to the next waiter, so it stays in use.
    if (next) next();
    used.add(key, next ? 1 - units : -units);
  }

  return {
    isFull,
    tryAcquire,
    acquire,
    release,
    run: async (work, key) => {
      const waiting = acquire(key);
      if (waiting) await waiting;
      try {
        return await work();
      } finally {
        release(key);
      }
    },
  };
}
