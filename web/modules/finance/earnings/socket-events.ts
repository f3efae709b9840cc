/** Applies an earning event to the cache: lists are changed in place, sums are refetched. */
import {
  type Earning,
  getCreatorBalance,
  getCreatorHighlights,
  getCreatorStats,
  getEarningsChart,
  getSameTimeStats,
  listClearingDays,
} from '@stagedoor/contract/finance/earnings.ts';
import type { QueryClient } from '@tanstack/react-query';
import { routeKey } from '../../../platform/query.ts';

/**
 * Returns the list newest first and without duplicates. An earning that arrives again, for example as reversed,
 * replaces the earlier one.
 */
export function mergeEarning(list: readonly Earning[], earning: Earning): Earning[] {
  const others = list.filter((other) => other.id !== earning.id);
  return [...others, earning].sort((a, b) => b.createdAt.localeCompare(a.createdAt) || b.id.localeCompare(a.id));
}

export function invalidateSums(client: QueryClient): void {
  for (const route of [
    getCreatorStats,
    getCreatorBalance,
    listClearingDays,
    getCreatorHighlights,
    getEarningsChart,
    getSameTimeStats,
  ])
    void client.invalidateQueries({ queryKey: routeKey(route) });
}
