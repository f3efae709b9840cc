/** Work that takes much of the machine, a few pieces at a time. */
import type { AppError } from '@stagedoor/contract/atoms/errors.ts';

export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** Runs `atOnce` pieces of work at a time, the others in the order they came; beyond `waiting` of them it throws `refusal()`. */
export function createTurns(options: { atOnce: number; waiting: number; refusal: () => AppError }): InTurn {
  const { atOnce, waiting, refusal } = options;
  let running = 0;
  const line: (() => void)[] = [];
  return async (work) => {
    if (running >= atOnce) {
      if (line.length >= waiting) throw refusal();
      // Who leaves hands the place over, so `running` stays as it is.
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
