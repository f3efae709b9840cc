/** The payout filters in the URL. Default values are left out. */
import { isId } from '@stagedoor/contract/atoms/ids.ts';
import { DEFAULT_PAGE_SIZE, PAGE_SIZES } from '@stagedoor/contract/atoms/paging.ts';
import { listDeskPayouts, PAYOUT_QUEUES, RAILS, readDeskPayout } from '@stagedoor/contract/payout-desk.ts';
import { PAYOUT_KINDS, PAYOUT_SOURCES, PAYOUT_STATES } from '@stagedoor/contract/payouts.ts';
import { dayIn, oneOf } from '../../../kernel/address.ts';
import { apiInfiniteQuery, apiQuery } from '../../../kernel/query.ts';

/** Includes payouts that need no action. */
export const ALL = 'all';

export function payoutFilters(search: URLSearchParams) {
  const [from, to] = [dayIn(search, 'from'), dayIn(search, 'to')];
  const batchId = search.get('batchId') ?? '';
  const isAll = search.get('queue') === ALL || isId(batchId);
  return {
    queue: isAll ? undefined : (oneOf(PAYOUT_QUEUES, search.get('queue')) ?? 'toApprove'),
    status: isAll ? oneOf(PAYOUT_STATES, search.get('status')) : undefined,
    rail: oneOf(RAILS, search.get('rail')),
    kind: oneOf(PAYOUT_KINDS, search.get('kind')),
    source: oneOf(PAYOUT_SOURCES, search.get('source')),
    search: search.get('search')?.trim().slice(0, 254) || undefined,
    batchId: isId(batchId) ? batchId : undefined,
    from,
    to: from && to && to < from ? undefined : to,
    limit: PAGE_SIZES.find((size) => String(size) === search.get('limit')) ?? DEFAULT_PAGE_SIZE,
  };
}
export type PayoutFilters = ReturnType<typeof payoutFilters>;

export function isFiltered({ status, kind, source, search, batchId, from, to }: PayoutFilters): boolean {
  return [status, kind, source, search, batchId, from, to].some((filter) => filter !== undefined);
}

export const deskPayoutsQuery = (filters: PayoutFilters) => apiInfiniteQuery(listDeskPayouts, { query: filters });
export const payoutCaseQuery = (id: string) => apiQuery(readDeskPayout, { params: { id } });
