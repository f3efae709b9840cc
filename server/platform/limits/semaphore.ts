/** A semaphore with a bounded queue, for expensive work. */
import type { AppError } from '@stagedoor/contract/shared/errors.ts';

export type RunWithSlot = <T>(work: () => Promise<T>) => Promise<T>;

/** Runs `concurrency` tasks at a time, the others in order. Throws `createError()` when more than `maxWaiting` are queued. */
export function createSemaphore(options: {
  concurrency: number;
  maxWaiting: number;
  createError: () => AppError;
}): RunWithSlot {
  const { concurrency, maxWaiting, createError } = options;
  let running = 0;
  const waiters: (() => void)[] = [];
  return async (work) => {
    if (running >= concurrency) {
      if (waiters.length >= maxWaiting) throw createError();
      // The slot passes to the next waiter, so `running` stays as it is.
      await new Promise<void>((resolve) => void waiters.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = waiters.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
