import { SORT_ORDERS } from '@stagedoor/contract/content/follows.ts';
import {
  getAffiliateTotals,
  listReferrals,
  listWithdrawals,
  REFERRAL_SORT_KEYS,
  REFERRAL_STATUSES,
  REFERRED_TYPES,
  WITHDRAWAL_SORT_KEYS,
} from '@stagedoor/contract/finance/affiliates.ts';
import { listPayoutMethods, PAYOUT_STATES } from '@stagedoor/contract/finance/payouts.ts';
import { PAGE_SIZES } from '@stagedoor/contract/shared/paging.ts';
import type { QueryOf } from '@stagedoor/contract/shared/route.ts';
import { keepPreviousData } from '@tanstack/react-query';
import { parseOption } from '../../../platform/address.ts';
import { apiQuery } from '../../../platform/query.ts';

export const AFFILIATE_WITHDRAWALS_TAB = 'withdrawals';
export const AFFILIATE_LIST_PARAMETERS = [
  ...['sortByKey', 'sortOrderBy', 'currentPage', 'limit', 'startDate', 'endDate', 'status', 'referredType'],
] as const;

const DAY_PATTERN = /^\d{4}-\d{2}-\d{2}$/;

function parseCommonFilters(search: URLSearchParams) {
  const parseDay = (name: string) => {
    const value = search.get(name) ?? '';
    return DAY_PATTERN.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined;
  };
  const [startDate, endDate] = [parseDay('startDate'), parseDay('endDate')];
  const page = Number(search.get('currentPage') ?? '1');
  return {
    sortOrderBy: parseOption(SORT_ORDERS, search.get('sortOrderBy')) ?? 'desc',
    currentPage: Number.isInteger(page) && page >= 1 && page <= 100_000 ? page : 1,
    limit: PAGE_SIZES.find((size) => String(size) === search.get('limit')) ?? PAGE_SIZES[0],
    ...(startDate && { startDate }),
    ...(endDate && (!startDate || endDate >= startDate) && { endDate }),
  };
}

export type ReferralFilters = QueryOf<typeof listReferrals>;
export function parseReferralFilters(search: URLSearchParams): ReferralFilters {
  const status = parseOption(REFERRAL_STATUSES, search.get('status'));
  const referredType = parseOption(REFERRED_TYPES, search.get('referredType'));
  return {
    sortByKey: parseOption(REFERRAL_SORT_KEYS, search.get('sortByKey')) ?? 'createdAt',
    ...parseCommonFilters(search),
    ...(status && { status }),
    ...(referredType && { referredType }),
  };
}

export type WithdrawalFilters = QueryOf<typeof listWithdrawals>;
export function parseWithdrawalFilters(search: URLSearchParams): WithdrawalFilters {
  const status = parseOption(PAYOUT_STATES, search.get('status'));
  return {
    sortByKey: parseOption(WITHDRAWAL_SORT_KEYS, search.get('sortByKey')) ?? 'createdAt',
    ...parseCommonFilters(search),
    ...(status && { status }),
  };
}

export const payoutMethodsQuery = () => apiQuery(listPayoutMethods, {});
export const affiliateTotalsQuery = () => apiQuery(getAffiliateTotals, {});
export const referralsQuery = (affiliateId: string, query: ReferralFilters) => ({
  ...apiQuery(listReferrals, { params: { id: affiliateId }, query }),
  placeholderData: keepPreviousData,
});
export const withdrawalsQuery = (query: WithdrawalFilters) => ({
  ...apiQuery(listWithdrawals, { query }),
  placeholderData: keepPreviousData,
});
