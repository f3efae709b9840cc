import { ADMIN_PATHS } from '@stagedoor/contract/admin/addresses.ts';
import { PAYOUT_WEBHOOK_STATES } from '@stagedoor/contract/admin/payouts.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useSearchParams,
} from 'react-router';
import {
  PAYOUT_WEBHOOK_LISTS,
  PayoutWebhookRows,
  payoutWebhooksQuery,
} from '../../modules/admin/console/payouts/payout-webhooks.tsx';
import { parseOption } from '../../platform/address.ts';
import { createPageMeta } from '../../platform/meta.ts';
import { awaitOnServer, loadInBrowser, loadOnServer } from '../../platform/page-data.ts';
import { EmptyState } from '../../ui/states.tsx';
import { CountedListing } from '../fan/listing.tsx';
import { AdminList, StateChips } from './admin-list.tsx';
import { createAdminLoad } from './admin-load.ts';
import * as texts from './texts.ts';

const parseState = (search: URLSearchParams) =>
  parseOption(PAYOUT_WEBHOOK_STATES, search.get('state')) ?? 'quarantined';

export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.paypalEvents });

const load = createAdminLoad(({ client, url }) =>
  awaitOnServer(
    client.ensureInfiniteQueryData({ ...payoutWebhooksQuery(parseState(url.searchParams)), revalidateIfStale: true }),
  ),
);
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

export default function PayoutWebhooksPage() {
  const { now } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const state = parseState(search);
  const query = useInfiniteQuery(payoutWebhooksQuery(state));
  return (
    <AdminList
      title={texts.paypalEvents}
      back={{ href: `${ADMIN_PATHS.adminPayouts}?queue=inTransit`, label: texts.payoutsInTransit }}
    >
      <StateChips
        path={ADMIN_PATHS.adminPayoutWebhooks}
        states={PAYOUT_WEBHOOK_LISTS}
        current={state}
        count={query.data?.pages[0]?.totalCount}
      />
      <CountedListing
        query={query}
        empty={<EmptyState line={state === 'quarantined' ? texts.noEventsToReview : texts.noResults} />}
      >
        {(webhooks) => <PayoutWebhookRows webhooks={webhooks} now={now} />}
      </CountedListing>
    </AdminList>
  );
}
