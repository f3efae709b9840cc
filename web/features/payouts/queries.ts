import { creatorBalance } from '@stagedoor/contract/earnings.ts';
import {
  getPayout,
  getPayoutRule,
  listPayoutMethods,
  listPayouts,
  type Payout,
  type PayoutState,
  payoutOverview,
} from '@stagedoor/contract/payouts.ts';
import type { QueryClient } from '@tanstack/react-query';
import { apiQuery, routeKey } from '../../kernel/query.ts';

export const overviewQuery = () => apiQuery(payoutOverview, {});
export const methodsQuery = () => apiQuery(listPayoutMethods, {});
export const ruleQuery = () => apiQuery(getPayoutRule, {});
export const payoutQuery = (id: Payout['id']) => apiQuery(getPayout, { params: { id } });

export function forgetPayouts(client: QueryClient): void {
  for (const route of [payoutOverview, listPayouts, getPayout, creatorBalance])
    void client.invalidateQueries({ queryKey: routeKey(route) });
}

export const STATE_WORDS: Readonly<Record<PayoutState, string>> = {
  requested: 'Requested',
  inreview: 'In review',
  approved: 'Approved',
  rejected: 'Rejected',
  transfered: 'Transferred',
  cancel: 'Canceled',
};
