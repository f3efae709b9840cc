/** The only place that reads the time, so that tests can set it. */

export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };

/** A clock that stands still until it is moved. */
export function testClock(start: Date): Clock & { advance(ms: number): void; set(to: Date): void } {
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
