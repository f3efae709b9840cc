import { DESK_PATHS } from '@stagedoor/contract/desk-addresses.ts';
import { DIFFERENCE_STATES } from '@stagedoor/contract/differences.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useSearchParams,
} from 'react-router';
import { DIFFERENCE_LISTS, DifferenceRows, differencesQuery } from '../../features/desk/differences/rows.tsx';
import { oneOf } from '../../kernel/address.ts';
import { pageMeta } from '../../kernel/meta.ts';
import { begin, inBrowser, onServer } from '../../kernel/page-data.ts';
import { EmptyState } from '../../ui/states.tsx';
import { CountedListing } from '../fan/listing.tsx';
import { DeskList, StateChips } from './desk-list.tsx';
import { deskLoad } from './desk-load.ts';

const stateOf = (search: URLSearchParams) => oneOf(DIFFERENCE_STATES, search.get('state')) ?? 'open';

export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Discrepancies' });

const load = deskLoad(({ client, url }) =>
  begin(client.ensureInfiniteQueryData({ ...differencesQuery(stateOf(url.searchParams)), revalidateIfStale: true })),
);
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

export default function DifferencesDesk() {
  const { now } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const state = stateOf(search);
  const query = useInfiniteQuery(differencesQuery(state));
  return (
    <DeskList title="Discrepancies">
      <StateChips
        path={DESK_PATHS.adminDifferences}
        states={DIFFERENCE_LISTS}
        current={state}
        count={query.data?.pages[0]?.totalCount}
      />
      <CountedListing
        query={query}
        empty={<EmptyState line={state === 'open' ? 'No open discrepancies' : 'No results'} />}
      >
        {(differences) => <DifferenceRows differences={differences} now={now} />}
      </CountedListing>
    </DeskList>
  );
}
