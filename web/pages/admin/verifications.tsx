/** The operator's queue of verifications: who waits longest first. */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useSearchParams,
} from 'react-router';
import { moveAmong } from '../../features/verification/desk/keys.ts';
import { DeskHead, NeedsSecondFactor } from '../../features/verification/desk/parts.tsx';
import { QUEUE_WORDS, QUEUES, queueOf, queueQuery } from '../../features/verification/desk/queries.ts';
import { QueueRows } from '../../features/verification/desk/queue-rows.tsx';
import { addressWith } from '../../kernel/address.ts';
import { pageMeta } from '../../kernel/meta.ts';
import type { PageHandle } from '../../kernel/page.ts';
import { begin, inBrowser, onServer, type PageLoad } from '../../kernel/page-data.ts';
import { useViewer } from '../../kernel/session.ts';
import { ChipLink, Chips } from '../../ui/chips.tsx';
import { Pager } from '../../ui/pager.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Listing } from '../fan/listing.tsx';

const PATH = PATHS.adminVerifications;

export const handle: PageHandle = { width: 'wide' };
export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Verification' });

const load: PageLoad<{ now: string }> = async ({ client, url, viewer }) => {
  const query = { ...queueQuery(queueOf(url.searchParams)), revalidateIfStale: true };
  if ((await viewer())?.isTwoFactorEnabled) await begin(client.ensureInfiniteQueryData(query));
  return { now: new Date().toISOString() };
};
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

function Desk() {
  const { now } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const status = queueOf(search);
  const query = useInfiniteQuery(queueQuery(status));
  const count = query.data?.pages[0]?.totalCount;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys beside the links, which are reached without them
    <div className="grid max-w-[760px] gap-4 pt-6 lg:pt-10" onKeyDown={moveAmong}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <DeskHead>Verification</DeskHead>
        <p className="text-small text-muted max-lg:hidden" aria-hidden="true">
          <kbd>J</kbd> <kbd>K</kbd> Move <kbd>↵</kbd> Open
        </p>
      </div>
      <Chips label="Which">
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
        empty={<EmptyState line={status === 'submitted' ? 'Nobody waits for an answer.' : 'There is nobody here.'} />}
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
    </div>
  );
}

export default function Verifications() {
  const viewer = useViewer();
  return viewer?.isTwoFactorEnabled ? <Desk /> : <NeedsSecondFactor />;
}
