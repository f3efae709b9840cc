import { listCannedResponses } from '@stagedoor/contract/admin/canned-responses.ts';
import { CASE_VIEWS, countCases, getCase, getCaseContent, listCases } from '@stagedoor/contract/admin/cases.ts';
import { CASE_PATHS, casePath } from '@stagedoor/contract/trust/case-addresses.ts';
import { CASE_QUEUES, type CaseQueue } from '@stagedoor/contract/trust/case-kinds.ts';
import { buildAddress, parseOption } from '../../../../platform/address.ts';
import { pollWhileActive } from '../../../../platform/operator.ts';
import { apiInfiniteQuery, apiQuery } from '../../../../platform/query.ts';
import type { InboxView } from './case-labels.ts';

export type CaseFilters = { view: InboxView; queue?: CaseQueue; q?: string };

export function parseCaseFilters(search: URLSearchParams): CaseFilters {
  const queue = parseOption(CASE_QUEUES, search.get('queue'));
  const q = search.get('q')?.trim();
  return { view: parseOption(CASE_VIEWS, search.get('view')) ?? 'open', ...(queue && { queue }), ...(q && { q }) };
}

const formatFilters = ({ view, queue, q }: CaseFilters) =>
  new URLSearchParams({ view, ...(queue && { queue }), ...(q && { q }) }).toString();
export const toCaseHref = (id: string, filters: CaseFilters) => `${casePath(id)}?${formatFilters(filters)}`;
export function toInboxHref({ view, queue, q }: CaseFilters): string {
  const parameters = { view: view === 'open' ? undefined : view, queue, q };
  return buildAddress(CASE_PATHS.adminCases, new URLSearchParams(), parameters);
}
/** Whether the case was opened from a queue rather than a search by name. A queue is processed to its end. */
export const isFromQueue = (search: URLSearchParams) => search.has('view') && !search.has('q');

const REFETCH_MS = 60_000;
export const caseInboxQuery = (filters: CaseFilters) =>
  apiInfiniteQuery(listCases, { query: { ...filters, limit: 30 } });
export const caseCountsQuery = () => ({ ...apiQuery(countCases, {}), refetchInterval: pollWhileActive(REFETCH_MS) });
export const adminCaseQuery = (id: string) => apiQuery(getCase, { params: { id } });
export const caseContentQuery = (id: string) => ({
  ...apiQuery(getCaseContent, { params: { id } }),
  staleTime: Number.POSITIVE_INFINITY,
});
export const cannedResponsesQuery = () => apiQuery(listCannedResponses, {});

export const CASE_ROUTES = [listCases, countCases, getCase];
