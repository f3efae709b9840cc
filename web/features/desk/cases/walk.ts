/**
 * Moves through the filtered list from which a case was opened: to the next or previous case, and onward after a
 * decision.
 */
import { CASE_PATHS } from '@stagedoor/contract/case-addresses.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { showToast } from '../../../kernel/outcome.ts';
import { type CaseFilters, caseHref, inboxHref, inboxQuery } from './queries.ts';

export type Step = 1 | -1;

type Pages = { pages: { data: { id: string }[]; nextOffset?: string | undefined }[] } | undefined;
const idsOf = (inbox: Pages) => inbox?.pages.flatMap(({ data }) => data.map(({ id }) => id)) ?? [];

/** Returns the last cached list and the current one, loaded far enough to contain the case and the one after it. */
async function readList(client: QueryClient, filters: CaseFilters, id: string) {
  const query = inboxQuery(filters);
  const before = idsOf(client.getQueryData(query.queryKey));
  const read = (pages: number) =>
    client.fetchInfiniteQuery({ ...query, staleTime: 0, pages, getNextPageParam: (last) => last.nextOffset });
  let inbox = await read(Math.max(1, client.getQueryData(query.queryKey)?.pages.length ?? 0));
  while (idsOf(inbox).at(-1) === id && inbox.pages.at(-1)?.nextOffset !== undefined)
    inbox = await read(inbox.pages.length + 1);
  return { before, now: idsOf(inbox) };
}

/** The nearest case in a direction. For a case that left the list, its former position is used. */
export function nextOf(
  { before, now }: { before: string[]; now: string[] },
  id: string,
  step: Step,
): string | undefined {
  const at = now.indexOf(id);
  if (at >= 0) return now[at + step];
  const was = before.indexOf(id);
  const further = step > 0 ? before.slice(was + 1) : before.slice(0, Math.max(was, 0)).reverse();
  return further.find((one) => now.includes(one));
}

export function useWalk(id: string, filters: CaseFilters) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const read = () => readList(client, filters, id).catch(() => undefined);
  return {
    move: async (step: Step) => {
      const list = await read();
      if (!list) return;
      const next = nextOf(list, id, step) ?? (list.now.includes(id) ? undefined : list.now[0]);
      if (next !== undefined) return navigate(caseHref(next, filters));
      if (list.now.length === 0) return navigate(CASE_PATHS.adminCases);
      void showToast(step > 0 ? 'This is the last one here.' : 'This is the first one here.');
    },
    goOn: async () => {
      const list = await read();
      const next = list && (nextOf(list, id, 1) ?? list.now.find((one) => one !== id));
      return navigate(next === undefined ? inboxHref(filters) : caseHref(next, filters));
    },
  };
}
