/** The only source of the current time, so that tests can set it. */

export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };

export function createTestClock(start: Date): Clock & { advance(ms: number): void; set(to: Date): void } {
  let current = start.getTime();
  return {
    now: () => new Date(current),
    advance: (ms) => {
      current += ms;
    },
    set: (to) => {
      current = to.getTime();
    },
  };
}
