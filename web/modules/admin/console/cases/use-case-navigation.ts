/**
 * Moves through the filtered list from which a case was opened: to the next or previous case, and onward after a
 * decision.
 */
import { CASE_PATHS } from '@stagedoor/contract/trust/case-addresses.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { showToast } from '../../../../platform/feedback.ts';
import { type CaseFilters, caseInboxQuery, toCaseHref, toInboxHref } from './queries.ts';
import * as texts from './texts.ts';

export type Direction = 1 | -1;

type LoadedPages = { pages: { data: { id: string }[]; nextOffset?: string | undefined }[] } | undefined;
const listIds = (inbox: LoadedPages) => inbox?.pages.flatMap(({ data }) => data.map(({ id }) => id)) ?? [];

/** Returns the last cached list and the current one, loaded far enough to contain the case and the one after it. */
async function loadList(client: QueryClient, filters: CaseFilters, id: string) {
  const query = caseInboxQuery(filters);
  const previous = listIds(client.getQueryData(query.queryKey));
  const reload = (pages: number) =>
    client.fetchInfiniteQuery({ ...query, staleTime: 0, pages, getNextPageParam: (last) => last.nextOffset });
  let inbox = await reload(Math.max(1, client.getQueryData(query.queryKey)?.pages.length ?? 0));
  while (listIds(inbox).at(-1) === id && inbox.pages.at(-1)?.nextOffset !== undefined)
    inbox = await reload(inbox.pages.length + 1);
  return { previous, current: listIds(inbox) };
}

/** The nearest case in a direction. For a case that left the list, its former position is used. */
export function findNextCase(
  { previous, current }: { previous: string[]; current: string[] },
  id: string,
  direction: Direction,
): string | undefined {
  const index = current.indexOf(id);
  if (index >= 0) return current[index + direction];
  const formerIndex = previous.indexOf(id);
  const candidates =
    direction > 0 ? previous.slice(formerIndex + 1) : previous.slice(0, Math.max(formerIndex, 0)).reverse();
  return candidates.find((one) => current.includes(one));
}

export function useCaseNavigation(id: string, filters: CaseFilters) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const reload = () => loadList(client, filters, id).catch(() => undefined);
  return {
    move: async (direction: Direction) => {
      const list = await reload();
      if (!list) return;
      const next = findNextCase(list, id, direction) ?? (list.current.includes(id) ? undefined : list.current[0]);
      if (next !== undefined) return navigate(toCaseHref(next, filters));
      if (list.current.length === 0) return navigate(CASE_PATHS.adminCases);
      void showToast(direction > 0 ? texts.lastCaseReached : texts.firstCaseReached);
    },
    openNext: async () => {
      const list = await reload();
      const next = list && (findNextCase(list, id, 1) ?? list.current.find((one) => one !== id));
      return navigate(next === undefined ? toInboxHref(filters) : toCaseHref(next, filters));
    },
  };
}
