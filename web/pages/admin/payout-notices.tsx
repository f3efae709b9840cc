import { DESK_PATHS } from '@stagedoor/contract/desk-addresses.ts';
import { NOTICE_STATES } from '@stagedoor/contract/payout-desk.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useSearchParams,
} from 'react-router';
import { NOTICE_LISTS, NoticeRows, noticesQuery } from '../../features/desk/payouts/notices.tsx';
import { oneOf } from '../../kernel/address.ts';
import { pageMeta } from '../../kernel/meta.ts';
import { begin, inBrowser, onServer } from '../../kernel/page-data.ts';
import { EmptyState } from '../../ui/states.tsx';
import { CountedListing } from '../fan/listing.tsx';
import { DeskList, StateChips } from './desk-list.tsx';
import { deskLoad } from './desk-load.ts';

const stateOf = (search: URLSearchParams) => oneOf(NOTICE_STATES, search.get('state')) ?? 'quarantined';

export const meta = (args: MetaArgs) => pageMeta(args, { title: 'PayPal events' });

const load = deskLoad(({ client, url }) =>
  begin(client.ensureInfiniteQueryData({ ...noticesQuery(stateOf(url.searchParams)), revalidateIfStale: true })),
);
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

export default function PayoutNotices() {
  const { now } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const state = stateOf(search);
  const query = useInfiniteQuery(noticesQuery(state));
  return (
    <DeskList
      title="PayPal events"
      back={{ href: `${DESK_PATHS.adminPayouts}?queue=onTheWay`, words: 'Payouts in transit' }}
    >
      <StateChips
        path={DESK_PATHS.adminPayoutNotices}
        states={NOTICE_LISTS}
        current={state}
        count={query.data?.pages[0]?.totalCount}
      />
      <CountedListing
        query={query}
        empty={<EmptyState line={state === 'quarantined' ? 'No events to review' : 'No results'} />}
      >
        {(notices) => <NoticeRows notices={notices} now={now} />}
      </CountedListing>
    </DeskList>
  );
}
