import { getCreatorBalance } from '@stagedoor/contract/finance/earnings.ts';
import {
  getPayout,
  getPayoutOverview,
  getPayoutRule,
  listPayoutMethods,
  listPayouts,
  type Payout,
  type PayoutState,
} from '@stagedoor/contract/finance/payouts.ts';
import type { QueryClient } from '@tanstack/react-query';
import { apiQuery, routeKey } from '../../../platform/query.ts';

export const overviewQuery = () => apiQuery(getPayoutOverview, {});
export const methodsQuery = () => apiQuery(listPayoutMethods, {});
export const ruleQuery = () => apiQuery(getPayoutRule, {});
export const payoutQuery = (id: Payout['id']) => apiQuery(getPayout, { params: { id } });

export function invalidatePayouts(client: QueryClient): void {
  for (const route of [getPayoutOverview, listPayouts, getPayout, getCreatorBalance])
    void client.invalidateQueries({ queryKey: routeKey(route) });
}

export const PAYOUT_STATUS_LABELS: Readonly<Record<PayoutState, string>> = {
  requested: 'Requested',
  inreview: 'In review',
  approved: 'Approved',
  rejected: 'Rejected',
  transfered: 'Transferred',
  cancel: 'Canceled',
};
