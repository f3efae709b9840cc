/** Slots for new creators on the discovery page, which also shows this rule. */

export const NEW_CREATOR_SLOTS = {
  every: 6,
  max: 8,
  /** Days since sign-up of a new creator… */
  days: 30,
  /** …who has at most this many followers, is verified and has published something. */
  followers: 100,
} as const;

/** Counts the slots before position `skip`. */
export function countSlotsBefore(skip: number, count: number): number {
  return Math.min(count, Math.floor(skip / NEW_CREATOR_SLOTS.every));
}

/** Merges the new creators into `others`, from position `skip` of the whole list. Remaining ones follow at the end. */
export function mergeNewCreators<T>(others: readonly T[], newCreators: readonly T[], skip: number, limit: number): T[] {
  const list: T[] = [];
  let slotsUsed = countSlotsBefore(skip, newCreators.length);
  let next = 0;
  while (list.length < limit) {
    const isSlot = (skip + list.length + 1) % NEW_CREATOR_SLOTS.every === 0 || next >= others.length;
    const newCreator = isSlot ? newCreators[slotsUsed] : undefined;
    const item = newCreator ?? others[next];
    if (item === undefined) break;
    if (newCreator === undefined) next += 1;
    else slotsUsed += 1;
    list.push(item);
  }
  return list;
}
