import { DESK_PATHS } from '@stagedoor/contract/desk-addresses.ts';
import { PROCESSOR_EVENT_STATES } from '@stagedoor/contract/processor-desk.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useSearchParams,
} from 'react-router';
import { EVENT_STATES, EventRows, eventsQuery } from '../../features/desk/processor/rows.tsx';
import { oneOf } from '../../kernel/address.ts';
import { pageMeta } from '../../kernel/meta.ts';
import { begin, inBrowser, onServer } from '../../kernel/page-data.ts';
import { EmptyState } from '../../ui/states.tsx';
import { CountedListing } from '../fan/listing.tsx';
import { DeskList, StateChips } from './desk-list.tsx';
import { deskLoad } from './desk-load.ts';

const stateOf = (search: URLSearchParams) => oneOf(PROCESSOR_EVENT_STATES, search.get('state')) ?? 'quarantined';

export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Payment events' });

const load = deskLoad(({ client, url }) =>
  begin(client.ensureInfiniteQueryData({ ...eventsQuery(stateOf(url.searchParams)), revalidateIfStale: true })),
);
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

export default function ProcessorEvents() {
  const { now } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const state = stateOf(search);
  const query = useInfiniteQuery(eventsQuery(state));
  return (
    <DeskList title="Payment events">
      <StateChips
        path={DESK_PATHS.adminProcessorEvents}
        states={EVENT_STATES}
        current={state}
        count={query.data?.pages[0]?.totalCount}
      />
      <CountedListing
        query={query}
        empty={<EmptyState line={state === 'quarantined' ? 'Nothing to review' : 'No results'} />}
      >
        {(events) => <EventRows events={events} now={now} />}
      </CountedListing>
    </DeskList>
  );
}
