/** Slots for new creators on the discovery page, which also shows this rule. */

export const FAIR_SHARE = {
  every: 6,
  most: 8,
  /** Days since sign-up of a new creator… */
  days: 30,
  /** …who has at most this many followers, is verified and has published something. */
  followers: 100,
} as const;

/** Counts the slots before position `skip`. */
export function newcomersBefore(skip: number, count: number): number {
  return Math.min(count, Math.floor(skip / FAIR_SHARE.every));
}

/** Merges the new creators into `others`, from position `skip` of the whole list. Remaining ones follow at the end. */
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
