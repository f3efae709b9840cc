/** The payout filters in the URL. Default values are left out. */

import { getAdminPayout, listAdminPayouts, PAYOUT_QUEUES, PAYOUT_RAILS } from '@stagedoor/contract/admin/payouts.ts';
import { PAYOUT_KINDS, PAYOUT_SOURCES, PAYOUT_STATES } from '@stagedoor/contract/finance/payouts.ts';
import { isId } from '@stagedoor/contract/shared/ids.ts';
import { DEFAULT_PAGE_SIZE, PAGE_SIZES } from '@stagedoor/contract/shared/paging.ts';
import { parseDayParam, parseOption } from '../../../../platform/address.ts';
import { apiInfiniteQuery, apiQuery } from '../../../../platform/query.ts';

/** Includes payouts that need no action. */
export const ALL_QUEUES = 'all';

export function parseAdminPayoutFilters(search: URLSearchParams) {
  const [from, to] = [parseDayParam(search, 'from'), parseDayParam(search, 'to')];
  const batchId = search.get('batchId') ?? '';
  const isAll = search.get('queue') === ALL_QUEUES || isId(batchId);
  return {
    queue: isAll ? undefined : (parseOption(PAYOUT_QUEUES, search.get('queue')) ?? 'toApprove'),
    status: isAll ? parseOption(PAYOUT_STATES, search.get('status')) : undefined,
    rail: parseOption(PAYOUT_RAILS, search.get('rail')),
    kind: parseOption(PAYOUT_KINDS, search.get('kind')),
    source: parseOption(PAYOUT_SOURCES, search.get('source')),
    search: search.get('search')?.trim().slice(0, 254) || undefined,
    batchId: isId(batchId) ? batchId : undefined,
    from,
    to: from && to && to < from ? undefined : to,
    limit: PAGE_SIZES.find((size) => String(size) === search.get('limit')) ?? DEFAULT_PAGE_SIZE,
  };
}
export type AdminPayoutFilters = ReturnType<typeof parseAdminPayoutFilters>;

export function hasAdminPayoutFilters({
  status,
  kind,
  source,
  search,
  batchId,
  from,
  to,
}: AdminPayoutFilters): boolean {
  return [status, kind, source, search, batchId, from, to].some((filter) => filter !== undefined);
}

export const adminPayoutsQuery = (filters: AdminPayoutFilters) =>
  apiInfiniteQuery(listAdminPayouts, { query: filters });
export const adminPayoutQuery = (id: string) => apiQuery(getAdminPayout, { params: { id } });
