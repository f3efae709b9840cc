import { ADMIN_PATHS } from '@stagedoor/contract/admin/addresses.ts';
import { PROCESSOR_WEBHOOK_STATES } from '@stagedoor/contract/admin/processor-webhooks.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useSearchParams,
} from 'react-router';
import {
  CardCancellationRows,
  cardCancellationsQuery,
} from '../../modules/admin/console/processor-webhooks/cancellations.tsx';
import {
  PROCESSOR_WEBHOOK_LABELS,
  ProcessorWebhookRows,
  processorWebhooksQuery,
} from '../../modules/admin/console/processor-webhooks/rows.tsx';
import { parseOption } from '../../platform/address.ts';
import { createPageMeta } from '../../platform/meta.ts';
import { awaitOnServer, loadInBrowser, loadOnServer } from '../../platform/page-data.ts';
import { EmptyState } from '../../ui/states.tsx';
import { CountedListing } from '../fan/listing.tsx';
import { AdminList, StateChips } from './admin-list.tsx';
import { createAdminLoad } from './admin-load.ts';
import * as texts from './texts.ts';

const parseState = (search: URLSearchParams) =>
  parseOption(PROCESSOR_WEBHOOK_STATES, search.get('state')) ?? 'quarantined';

export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.paymentEvents });

const load = createAdminLoad(({ client, url }) => {
  void client.prefetchQuery(cardCancellationsQuery());
  return awaitOnServer(
    client.ensureInfiniteQueryData({
      ...processorWebhooksQuery(parseState(url.searchParams)),
      revalidateIfStale: true,
    }),
  );
});
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

export default function ProcessorWebhooksPage() {
  const { now } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const state = parseState(search);
  const query = useInfiniteQuery(processorWebhooksQuery(state));
  const cancellations = useQuery(cardCancellationsQuery()).data?.data ?? [];
  return (
    <AdminList title={texts.paymentEvents}>
      <StateChips
        path={ADMIN_PATHS.adminProcessorWebhooks}
        states={PROCESSOR_WEBHOOK_LABELS}
        current={state}
        count={query.data?.pages[0]?.totalCount}
      />
      {state === 'quarantined' && cancellations.length > 0 && <CardCancellationRows rows={cancellations} now={now} />}
      <CountedListing
        query={query}
        empty={<EmptyState line={state === 'quarantined' ? texts.nothingToReview : texts.noResults} />}
      >
        {(events) => <ProcessorWebhookRows webhooks={events} now={now} />}
      </CountedListing>
    </AdminList>
  );
}
