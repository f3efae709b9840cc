import { ADMIN_PATHS } from '@stagedoor/contract/admin/addresses.ts';
import { DIFFERENCE_STATES } from '@stagedoor/contract/admin/reconciliation.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useSearchParams,
} from 'react-router';
import {
  DIFFERENCE_STATE_LABELS,
  DifferenceRows,
  differencesQuery,
} from '../../modules/admin/console/reconciliation/rows.tsx';
import { parseOption } from '../../platform/address.ts';
import { createPageMeta } from '../../platform/meta.ts';
import { awaitOnServer, loadInBrowser, loadOnServer } from '../../platform/page-data.ts';
import { EmptyState } from '../../ui/states.tsx';
import { CountedListing } from '../fan/listing.tsx';
import { AdminList, StateChips } from './admin-list.tsx';
import { createAdminLoad } from './admin-load.ts';
import * as texts from './texts.ts';

const parseState = (search: URLSearchParams) => parseOption(DIFFERENCE_STATES, search.get('state')) ?? 'open';

export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.discrepancies });

const load = createAdminLoad(({ client, url }) =>
  awaitOnServer(
    client.ensureInfiniteQueryData({ ...differencesQuery(parseState(url.searchParams)), revalidateIfStale: true }),
  ),
);
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

export default function DifferencesPage() {
  const { now } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const state = parseState(search);
  const query = useInfiniteQuery(differencesQuery(state));
  return (
    <AdminList title={texts.discrepancies}>
      <StateChips
        path={ADMIN_PATHS.adminDifferences}
        states={DIFFERENCE_STATE_LABELS}
        current={state}
        count={query.data?.pages[0]?.totalCount}
      />
      <CountedListing
        query={query}
        empty={<EmptyState line={state === 'open' ? texts.noOpenDiscrepancies : texts.noResults} />}
      >
        {(differences) => <DifferenceRows differences={differences} now={now} />}
      </CountedListing>
    </AdminList>
  );
}
