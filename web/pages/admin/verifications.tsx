import { DESK_PATHS } from '@stagedoor/contract/desk-addresses.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useSearchParams,
} from 'react-router';
import { QUEUE_WORDS, QUEUES, queueOf, queueQuery } from '../../features/verification/desk/queries.ts';
import { QueueRows } from '../../features/verification/desk/queue-rows.tsx';
import { addressWith } from '../../kernel/address.ts';
import { pageMeta } from '../../kernel/meta.ts';
import type { PageHandle } from '../../kernel/page.ts';
import { begin, inBrowser, onServer } from '../../kernel/page-data.ts';
import { ChipLink, Chips } from '../../ui/chips.tsx';
import { Pager } from '../../ui/pager.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Listing } from '../fan/listing.tsx';
import { DeskList } from './desk-list.tsx';
import { deskLoad } from './desk-load.ts';

const PATH = DESK_PATHS.adminVerifications;

export const handle: PageHandle = { width: 'wide' };
export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Verification' });

const load = deskLoad(({ client, url }) =>
  begin(client.ensureInfiniteQueryData({ ...queueQuery(queueOf(url.searchParams)), revalidateIfStale: true })),
);
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

export default function Verifications() {
  const { now } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const status = queueOf(search);
  const query = useInfiniteQuery(queueQuery(status));
  const count = query.data?.pages[0]?.totalCount;
  return (
    <DeskList title="Verification">
      <Chips label="Filter">
        {QUEUES.map((each) => (
          <ChipLink
            key={each}
            href={addressWith(PATH, search, { status: each === 'submitted' ? undefined : each })}
            current={each === status}
          >
            {QUEUE_WORDS[each]}
            {each === status && count !== undefined && <span className="num">{count.toLocaleString('en-US')}</span>}
          </ChipLink>
        ))}
      </Chips>
      <Listing
        query={query}
        isEmpty={(pages) => !pages[0]?.data.length}
        empty={<EmptyState line={status === 'submitted' ? 'No verifications to review' : 'No results'} />}
      >
        {(pages) => (
          <>
            <QueueRows rows={pages.flatMap((page) => page.data)} now={now} />
            <Pager
              onMore={query.hasNextPage ? () => void query.fetchNextPage() : undefined}
              busy={query.isFetchingNextPage}
            />
          </>
        )}
      </Listing>
    </DeskList>
  );
}
