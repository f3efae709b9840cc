import { ADMIN_PATHS } from '@stagedoor/contract/admin/addresses.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router';
import { BatchRows, batchesQuery } from '../../modules/admin/console/payouts/batches.tsx';
import { createPageMeta } from '../../platform/meta.ts';
import { awaitOnServer, loadInBrowser, loadOnServer } from '../../platform/page-data.ts';
import { EmptyState } from '../../ui/states.tsx';
import { CountedListing } from '../fan/listing.tsx';
import { AdminList } from './admin-list.tsx';
import { createAdminLoad } from './admin-load.ts';
import * as texts from './texts.ts';

export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.payoutBatches });

const load = createAdminLoad(({ client }) =>
  awaitOnServer(client.ensureInfiniteQueryData({ ...batchesQuery(), revalidateIfStale: true })),
);
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

export default function PayoutBatches() {
  const { now } = useLoaderData<typeof loader>();
  const query = useInfiniteQuery(batchesQuery());
  return (
    <AdminList
      title={texts.payoutBatches}
      back={{ href: `${ADMIN_PATHS.adminPayouts}?queue=toSend`, label: texts.payoutsToSend }}
    >
      <CountedListing query={query} empty={<EmptyState line={texts.noBatchesYet} />}>
        {(batches) => <BatchRows batches={batches} now={now} />}
      </CountedListing>
    </AdminList>
  );
}
