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
import * as texts from './texts.ts';

export const overviewQuery = () => apiQuery(getPayoutOverview, {});
export const methodsQuery = () => apiQuery(listPayoutMethods, {});
export const ruleQuery = () => apiQuery(getPayoutRule, {});
export const payoutQuery = (id: Payout['id']) => apiQuery(getPayout, { params: { id } });

export function invalidatePayouts(client: QueryClient): void {
  for (const route of [getPayoutOverview, listPayouts, getPayout, getCreatorBalance])
    void client.invalidateQueries({ queryKey: routeKey(route) });
}

export const PAYOUT_STATUS_LABELS: Readonly<Record<PayoutState, string>> = {
  requested: texts.requested,
  inreview: texts.inReview,
  approved: texts.approved,
  rejected: texts.rejected,
  transfered: texts.transferred,
  cancel: texts.canceled,
};
