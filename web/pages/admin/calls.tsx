import { ADMIN_PATHS } from '@stagedoor/contract/admin/addresses.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useSearchParams,
} from 'react-router';
import { adminCallsQuery, CALL_LIST_LABELS, CallRows } from '../../modules/admin/console/calls/rows.tsx';
import { parseOption } from '../../platform/address.ts';
import { createPageMeta } from '../../platform/meta.ts';
import { awaitOnServer, loadInBrowser, loadOnServer } from '../../platform/page-data.ts';
import { EmptyState } from '../../ui/states.tsx';
import { CountedListing } from '../fan/listing.tsx';
import { AdminList, StateChips } from './admin-list.tsx';
import { createAdminLoad } from './admin-load.ts';
import * as texts from './texts.ts';

const parseState = (search: URLSearchParams) =>
  parseOption(['open', 'stopped'] as const, search.get('state')) ?? 'open';

export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.calls });

const load = createAdminLoad(({ client, url }) =>
  awaitOnServer(
    client.ensureInfiniteQueryData({ ...adminCallsQuery(parseState(url.searchParams)), revalidateIfStale: true }),
  ),
);
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

export default function CallsPage() {
  const { now } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const state = parseState(search);
  const query = useInfiniteQuery(adminCallsQuery(state));
  return (
    <AdminList title={texts.calls}>
      <StateChips
        path={ADMIN_PATHS.adminCalls}
        states={CALL_LIST_LABELS}
        current={state}
        count={query.data?.pages[0]?.totalCount}
      />
      <CountedListing
        query={query}
        empty={<EmptyState line={state === 'open' ? texts.noOngoingCalls : texts.noCallsEndedByStaff} />}
      >
        {(calls) => <CallRows calls={calls} now={now} />}
      </CountedListing>
    </AdminList>
  );
}
