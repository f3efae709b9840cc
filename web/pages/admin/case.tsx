import type { CaseView } from '@stagedoor/contract/admin/cases.ts';
import { CASE_PATHS } from '@stagedoor/contract/trust/case-addresses.ts';
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
import { AdminCase } from '../../modules/admin/console/cases/admin-case.tsx';
import {
  adminCaseQuery,
  cannedResponsesQuery,
  isFromQueue,
  parseCaseFilters,
  toInboxHref,
} from '../../modules/admin/console/cases/queries.ts';
import { useCaseNavigation } from '../../modules/admin/console/cases/use-case-navigation.ts';
import { createPageMeta } from '../../platform/meta.ts';
import type { PageHandle } from '../../platform/page.ts';
import { loadInBrowser, loadOnServer } from '../../platform/page-data.ts';
import { createAdminLoad } from './admin-load.ts';
import * as texts from './texts.ts';

export const handle: PageHandle = { flush: true, width: 'full' };
export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.caseTitle });

const load = createAdminLoad(({ client, params }) =>
  Promise.all([
    client.ensureQueryData({ ...adminCaseQuery(params.id ?? ''), revalidateIfStale: true }),
    client.prefetchQuery(cannedResponsesQuery()),
  ]),
);
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

export default function CasePage() {
  const { id = '' } = useParams();
  const [search] = useSearchParams();
  const { now } = useLoaderData<typeof loader>();
  const client = useQueryClient();
  const { data } = useSuspenseQuery(adminCaseQuery(id));
  const filters = parseCaseFilters(search);
  const { move, openNext } = useCaseNavigation(id, filters);
  // The decided case stays visible until the next one is loaded, so that the focus does not move twice.
  const [decided, setDecided] = useState<CaseView>();
  const view = decided?.id === data.id ? decided : data;
  const onDecided = (updated: CaseView) => {
    // A refund leaves the case open.
    if (isFromQueue(search) && updated.state === 'closed') {
      setDecided(view);
      return void openNext();
    }
    client.setQueryData(adminCaseQuery(id).queryKey, updated);
  };
  // A new status offers other actions, so the key resets the form.
  return (
    <AdminCase
      key={`${id} ${view.state}`}
      view={view}
      now={now}
      listHref={search.has('view') ? toInboxHref(filters) : CASE_PATHS.adminCases}
      onDecided={onDecided}
      onRouted={() => void openNext()}
      onMove={(step) => void move(step)}
    />
  );
}
