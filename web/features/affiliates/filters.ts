import {
  listReferrals,
  listWithdrawals,
  REFERRAL_SORT_KEYS,
  REFERRAL_STATUSES,
  REFERRED_TYPES,
  totalEarning,
  WITHDRAWAL_SORT_KEYS,
} from '@stagedoor/contract/affiliates.ts';
import { PAGE_SIZES } from '@stagedoor/contract/atoms/paging.ts';
import type { QueryOf } from '@stagedoor/contract/atoms/route.ts';
import { SORT_ORDERS } from '@stagedoor/contract/follows.ts';
import { listPayoutMethods, PAYOUT_STATES } from '@stagedoor/contract/payouts.ts';
import { keepPreviousData } from '@tanstack/react-query';
import { oneOf } from '../../kernel/address.ts';
import { apiQuery } from '../../kernel/query.ts';

export const WITHDRAWALS_TAB = 'withdrawals';
export const LIST_PARAMETERS = [
  ...['sortByKey', 'sortOrderBy', 'currentPage', 'limit', 'startDate', 'endDate', 'status', 'referredType'],
] as const;

const DAY = /^\d{4}-\d{2}-\d{2}$/;

function common(search: URLSearchParams) {
  const day = (name: string) => {
    const value = search.get(name) ?? '';
    return DAY.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined;
  };
  const [startDate, endDate] = [day('startDate'), day('endDate')];
  const page = Number(search.get('currentPage') ?? '1');
  return {
    sortOrderBy: oneOf(SORT_ORDERS, search.get('sortOrderBy')) ?? 'desc',
    currentPage: Number.isInteger(page) && page >= 1 && page <= 100_000 ? page : 1,
    limit: PAGE_SIZES.find((size) => String(size) === search.get('limit')) ?? PAGE_SIZES[0],
    ...(startDate && { startDate }),
    ...(endDate && (!startDate || endDate >= startDate) && { endDate }),
  };
}

export type ReferralFilters = QueryOf<typeof listReferrals>;
export function referralFilters(search: URLSearchParams): ReferralFilters {
  const status = oneOf(REFERRAL_STATUSES, search.get('status'));
  const referredType = oneOf(REFERRED_TYPES, search.get('referredType'));
  return {
    sortByKey: oneOf(REFERRAL_SORT_KEYS, search.get('sortByKey')) ?? 'createdAt',
    ...common(search),
    ...(status && { status }),
    ...(referredType && { referredType }),
  };
}

export type WithdrawalFilters = QueryOf<typeof listWithdrawals>;
export function withdrawalFilters(search: URLSearchParams): WithdrawalFilters {
  const status = oneOf(PAYOUT_STATES, search.get('status'));
  return {
    sortByKey: oneOf(WITHDRAWAL_SORT_KEYS, search.get('sortByKey')) ?? 'createdAt',
    ...common(search),
    ...(status && { status }),
  };
}

export const methodsQuery = () => apiQuery(listPayoutMethods, {});
export const totalsQuery = () => apiQuery(totalEarning, {});
export const referralsQuery = (affiliateId: string, query: ReferralFilters) => ({
  ...apiQuery(listReferrals, { params: { id: affiliateId }, query }),
  placeholderData: keepPreviousData,
});
export const withdrawalsQuery = (query: WithdrawalFilters) => ({
  ...apiQuery(listWithdrawals, { query }),
  placeholderData: keepPreviousData,
});
