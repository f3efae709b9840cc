/** What an earning does to the kept answers: the list is changed in place, sums are asked for again. */
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

/** Newest first, each once; an earning that comes again (reversed, say) replaces what was shown of it. */
export function withEarning(list: readonly Earning[], earning: Earning): Earning[] {
  const others = list.filter((other) => other.id !== earning.id);
  return [...others, earning].sort((a, b) => b.createdAt.localeCompare(a.createdAt) || b.id.localeCompare(a.id));
}

export function forgetSums(client: QueryClient): void {
  for (const route of [creatorStats, creatorBalance, clearingDays, creatorHighlights, earningsChart, statsByNow])
    void client.invalidateQueries({ queryKey: routeKey(route) });
}
