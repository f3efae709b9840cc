import { ADMIN_PATHS } from '@stagedoor/contract/admin/addresses.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useSearchParams,
} from 'react-router';
import {
  parseQueue,
  QUEUE_LABELS,
  VERIFICATION_QUEUES,
  verificationQueueQuery,
} from '../../modules/compliance/verification/admin/queries.ts';
import { QueueRows } from '../../modules/compliance/verification/admin/queue-rows.tsx';
import { buildAddress } from '../../platform/address.ts';
import { createPageMeta } from '../../platform/meta.ts';
import type { PageHandle } from '../../platform/page.ts';
import { awaitOnServer, loadInBrowser, loadOnServer } from '../../platform/page-data.ts';
import { ChipLink, Chips } from '../../ui/chips.tsx';
import { Pager } from '../../ui/pager.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Listing } from '../fan/listing.tsx';
import { AdminList } from './admin-list.tsx';
import { createAdminLoad } from './admin-load.ts';
import * as texts from './texts.ts';

const PATH = ADMIN_PATHS.adminVerifications;

export const handle: PageHandle = { width: 'wide' };
export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.verification });

const load = createAdminLoad(({ client, url }) =>
  awaitOnServer(
    client.ensureInfiniteQueryData({
      ...verificationQueueQuery(parseQueue(url.searchParams)),
      revalidateIfStale: true,
    }),
  ),
);
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

export default function Verifications() {
  const { now } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const status = parseQueue(search);
  const query = useInfiniteQuery(verificationQueueQuery(status));
  const count = query.data?.pages[0]?.totalCount;
  return (
    <AdminList title={texts.verification}>
      <Chips label={texts.filter}>
        {VERIFICATION_QUEUES.map((each) => (
          <ChipLink
            key={each}
            href={buildAddress(PATH, search, { status: each === 'submitted' ? undefined : each })}
            current={each === status}
          >
            {QUEUE_LABELS[each]}
            {each === status && count !== undefined && <span className="num">{count.toLocaleString('en-US')}</span>}
          </ChipLink>
        ))}
      </Chips>
      <Listing
        query={query}
        isEmpty={(pages) => !pages[0]?.data.length}
        empty={<EmptyState line={status === 'submitted' ? texts.noVerificationsToReview : texts.noResults} />}
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
    </AdminList>
  );
}
