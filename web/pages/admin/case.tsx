import { CASE_PATHS } from '@stagedoor/contract/case-addresses.ts';
import type { CaseView } from '@stagedoor/contract/cases-desk.ts';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useParams,
  useSearchParams,
} from 'react-router';
import { DeskCase } from '../../features/desk/cases/case.tsx';
import { answersQuery, caseFilters, caseQuery, inboxHref, isWalked } from '../../features/desk/cases/queries.ts';
import { useWalk } from '../../features/desk/cases/walk.ts';
import { pageMeta } from '../../kernel/meta.ts';
import type { PageHandle } from '../../kernel/page.ts';
import { inBrowser, onServer } from '../../kernel/page-data.ts';
import { deskLoad } from './desk-load.ts';

export const handle: PageHandle = { flush: true, width: 'full' };
export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Case' });

const load = deskLoad(({ client, params }) =>
  Promise.all([
    client.ensureQueryData({ ...caseQuery(params.id ?? ''), revalidateIfStale: true }),
    client.prefetchQuery(answersQuery()),
  ]),
);
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

export default function CasePage() {
  const { id = '' } = useParams();
  const [search] = useSearchParams();
  const { now } = useLoaderData<typeof loader>();
  const client = useQueryClient();
  const { data } = useSuspenseQuery(caseQuery(id));
  const filters = caseFilters(search);
  const { move, goOn } = useWalk(id, filters);
  // The decided case stays visible until the next one is loaded, so that the focus does not move twice.
  const [left, setLeft] = useState<CaseView>();
  const view = left?.id === data.id ? left : data;
  const onDecided = (after: CaseView) => {
    // A refund leaves the case open.
    if (isWalked(search) && after.state === 'closed') {
      setLeft(view);
      return void goOn();
    }
    client.setQueryData(caseQuery(id).queryKey, after);
  };
  // A new status offers other actions, so the key resets the form.
  return (
    <DeskCase
      key={`${id} ${view.state}`}
      view={view}
      now={now}
      list={search.has('view') ? inboxHref(filters) : CASE_PATHS.adminCases}
      onDecided={onDecided}
      onPassed={() => void goOn()}
      onMove={(step) => void move(step)}
    />
  );
}
