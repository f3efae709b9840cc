/** A semaphore with a bounded queue, for expensive work. */
import type { AppError } from '@stagedoor/contract/atoms/errors.ts';

export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** Runs `atOnce` tasks at a time, the others in order. Throws `refusal()` when more than `waiting` are queued. */
export function createTurns(options: { atOnce: number; waiting: number; refusal: () => AppError }): InTurn {
  const { atOnce, waiting, refusal } = options;
  let running = 0;
  const line: (() => void)[] = [];
  return async (work) => {
    if (running >= atOnce) {
      if (line.length >= waiting) throw refusal();
      // The slot passes to the next waiter, so `running` stays as it is.
      await new Promise<void>((resolve) => void line.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = line.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
