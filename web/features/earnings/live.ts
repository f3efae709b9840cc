/** Applies an earning event to the cache: lists are changed in place, sums are refetched. */
import {
  clearingDays,
  creatorBalance,
  creatorHighlights,
  creatorStats,
  type Earning,
  earningsChart,
  statsByNow,
} from '@stagedoor/contract/earnings.ts';
import type { QueryClient } from '@tanstack/react-query';
import { routeKey } from '../../kernel/query.ts';

/**
 * Returns the list newest first and without duplicates. An earning that arrives again, for example as reversed,
 * replaces the earlier one.
 */
export function withEarning(list: readonly Earning[], earning: Earning): Earning[] {
  const others = list.filter((other) => other.id !== earning.id);
  return [...others, earning].sort((a, b) => b.createdAt.localeCompare(a.createdAt) || b.id.localeCompare(a.id));
}

export function forgetSums(client: QueryClient): void {
  for (const route of [creatorStats, creatorBalance, clearingDays, creatorHighlights, earningsChart, statsByNow])
    void client.invalidateQueries({ queryKey: routeKey(route) });
}
