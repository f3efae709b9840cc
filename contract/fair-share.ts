/** The places that the front page keeps for newcomers: the rule that discovery shows by and that its page prints. */

export const FAIR_SHARE = {
  /** One place of so many. */
  every: 6,
  /** So many newcomers a day have one. */
  most: 8,
  /** Somebody is a newcomer for so many days… */
  days: 30,
  /** …with at most so many followers, verified, and something published. */
  followers: 100,
} as const;

/** How many of the places before the place `skip` are newcomers', of `count` who have one. */
export function newcomersBefore(skip: number, count: number): number {
  return Math.min(count, Math.floor(skip / FAIR_SHARE.every));
}

/** `others` with the newcomers at their places, from the place `skip` of the whole list on. Newcomers left over when others end come last. */
export function withNewcomers<T>(others: readonly T[], newcomers: readonly T[], skip: number, limit: number): T[] {
  const list: T[] = [];
  let taken = newcomersBefore(skip, newcomers.length);
  let next = 0;
  while (list.length < limit) {
    const isTheirs = (skip + list.length + 1) % FAIR_SHARE.every === 0 || next >= others.length;
    const newcomer = isTheirs ? newcomers[taken] : undefined;
    const one = newcomer ?? others[next];
    if (one === undefined) break;
    if (newcomer === undefined) next += 1;
    else taken += 1;
    list.push(one);
  }
  return list;
}
