import { CASE_PATHS, casePath } from '@stagedoor/contract/case-addresses.ts';
import { CASE_QUEUES, type CaseQueue } from '@stagedoor/contract/case-kinds.ts';
import { CASE_VIEWS, countCases, listCases, readCase, showThing } from '@stagedoor/contract/cases-desk.ts';
import { listAnswers } from '@stagedoor/contract/saved-answers.ts';
import { addressWith, oneOf } from '../../../kernel/address.ts';
import { whileAttended } from '../../../kernel/operator.ts';
import { apiInfiniteQuery, apiQuery } from '../../../kernel/query.ts';
import type { InboxView } from './words.ts';

export type CaseFilters = { view: InboxView; queue?: CaseQueue; q?: string };

export function caseFilters(search: URLSearchParams): CaseFilters {
  const queue = oneOf(CASE_QUEUES, search.get('queue'));
  const q = search.get('q')?.trim();
  return { view: oneOf(CASE_VIEWS, search.get('view')) ?? 'open', ...(queue && { queue }), ...(q && { q }) };
}

const listed = ({ view, queue, q }: CaseFilters) =>
  new URLSearchParams({ view, ...(queue && { queue }), ...(q && { q }) }).toString();
export const caseHref = (id: string, filters: CaseFilters) => `${casePath(id)}?${listed(filters)}`;
export function inboxHref({ view, queue, q }: CaseFilters): string {
  const changed = { view: view === 'open' ? undefined : view, queue, q };
  return addressWith(CASE_PATHS.adminCases, new URLSearchParams(), changed);
}
/** Whether the case was opened from a queue rather than a search by name. A queue is processed to its end. */
export const isWalked = (search: URLSearchParams) => search.has('view') && !search.has('q');

const EVERY_MS = 60_000;
export const inboxQuery = (filters: CaseFilters) => apiInfiniteQuery(listCases, { query: { ...filters, limit: 30 } });
export const countsQuery = () => ({ ...apiQuery(countCases, {}), refetchInterval: whileAttended(EVERY_MS) });
export const caseQuery = (id: string) => apiQuery(readCase, { params: { id } });
export const thingQuery = (id: string) => ({
  ...apiQuery(showThing, { params: { id } }),
  staleTime: Number.POSITIVE_INFINITY,
});
export const answersQuery = () => apiQuery(listAnswers, {});

export const FORGET = [listCases, countCases, readCase];
