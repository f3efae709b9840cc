import type { Subscription } from '@stagedoor/contract/content/subscriptions.ts';

export const GROUPS = ['answer', 'renewing', 'gift', 'canceled'] as const;
export type GroupName = (typeof GROUPS)[number];

/** A free subscription never renews, and counts as renewing until it ends. */
export function getGroup({ isRenewing, isFree, failure, newPrice, gift }: Subscription): GroupName {
  if (!isRenewing && gift) return 'gift';
  if (!isRenewing && !isFree) return 'canceled';
  return failure || newPrice ? 'answer' : 'renewing';
}

/**
 * Groups in the order of the list. A subscription whose state the fan has just changed stays where it is, so that a
 * press in the same position undoes the change.
 */
export function groupSubscriptions(
  all: readonly Subscription[],
  held: ReadonlyMap<string, GroupName>,
): { name: GroupName; subscriptions: Subscription[] }[] {
  return GROUPS.map((name) => ({
    name,
    subscriptions: all.filter((each) => (held.get(each.id) ?? getGroup(each)) === name),
  })).filter(({ subscriptions }) => subscriptions.length > 0);
}
