import { listPayouts, PAYOUT_STATES, type PayoutState } from '@stagedoor/contract/finance/payouts.ts';
import { DEFAULT_PAGE_SIZE, PAGE_SIZES } from '@stagedoor/contract/shared/paging.ts';
import { parseDayParam, parseOption } from '../../../platform/address.ts';
import { apiInfiniteQuery } from '../../../platform/query.ts';

export const PAYOUT_DAYS = ['payoutsFrom', 'payoutsTo'] as const;
export const ANY_PAYOUT_DAY = { payoutsFrom: undefined, payoutsTo: undefined } as const;
export const ALL_PAYOUTS = { ...ANY_PAYOUT_DAY, payoutState: undefined } as const;

export interface PayoutFilters {
  state: PayoutState | undefined;
  from: string | undefined;
  to: string | undefined;
  size: (typeof PAGE_SIZES)[number];
}

/** Ignores invalid values. An end date before the start date is dropped. */
export function parsePayoutFilters(search: URLSearchParams): PayoutFilters {
  const [from, to] = PAYOUT_DAYS.map((name) => parseDayParam(search, name));
  return {
    state: parseOption(PAYOUT_STATES, search.get('payoutState')),
    from,
    to: from && to && to < from ? undefined : to,
    size: PAGE_SIZES.find((size) => String(size) === search.get('payouts')) ?? DEFAULT_PAGE_SIZE,
  };
}

export function arePayoutsFiltered({ state, from, to }: PayoutFilters): boolean {
  return [state, from, to].some((filter) => filter !== undefined);
}

export const payoutsQuery = ({ state, from, to, size }: PayoutFilters) =>
  apiInfiniteQuery(listPayouts, {
    query: { limit: size, ...(state && { status: state }), ...(from && { from }), ...(to && { to }) },
  });
