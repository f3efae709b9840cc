/** What the inbox and a case ask for, and what is asked anew after every act. */
import { CASE_QUEUES, type CaseQueue } from '@stagedoor/contract/case-kinds.ts';
import { CASE_VIEWS, countCases, listAnswers, listCases, readCase, showThing } from '@stagedoor/contract/cases-desk.ts';
import { oneOf } from '../../../kernel/address.ts';
import { whileAttended } from '../../../kernel/operator.ts';
import { apiInfiniteQuery, apiQuery } from '../../../kernel/query.ts';
import type { InboxView } from './words.ts';

export type CaseFilters = { view: InboxView; queue?: CaseQueue; q?: string };

export function caseFilters(search: URLSearchParams): CaseFilters {
  const queue = oneOf(CASE_QUEUES, search.get('queue'));
  const q = search.get('q')?.trim();
  return { view: oneOf(CASE_VIEWS, search.get('view')) ?? 'open', ...(queue && { queue }), ...(q && { q }) };
}

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
