import { DESK_PATHS } from '@stagedoor/contract/desk-addresses.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useSearchParams,
} from 'react-router';
import { CALL_LISTS, CallRows, callsQuery } from '../../features/desk/calls/rows.tsx';
import { oneOf } from '../../kernel/address.ts';
import { pageMeta } from '../../kernel/meta.ts';
import { begin, inBrowser, onServer } from '../../kernel/page-data.ts';
import { EmptyState } from '../../ui/states.tsx';
import { CountedListing } from '../fan/listing.tsx';
import { DeskList, StateChips } from './desk-list.tsx';
import { deskLoad } from './desk-load.ts';

const stateOf = (search: URLSearchParams) => oneOf(['open', 'stopped'] as const, search.get('state')) ?? 'open';

export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Calls' });

const load = deskLoad(({ client, url }) =>
  begin(client.ensureInfiniteQueryData({ ...callsQuery(stateOf(url.searchParams)), revalidateIfStale: true })),
);
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

export default function CallsDesk() {
  const { now } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const state = stateOf(search);
  const query = useInfiniteQuery(callsQuery(state));
  return (
    <DeskList title="Calls">
      <StateChips
        path={DESK_PATHS.adminCalls}
        states={CALL_LISTS}
        current={state}
        count={query.data?.pages[0]?.totalCount}
      />
      <CountedListing
        query={query}
        empty={<EmptyState line={state === 'open' ? 'No ongoing calls' : 'No calls ended by staff'} />}
      >
        {(calls) => <CallRows calls={calls} now={now} />}
      </CountedListing>
    </DeskList>
  );
}
