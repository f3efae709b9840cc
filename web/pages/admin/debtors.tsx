import { useInfiniteQuery } from '@tanstack/react-query';
import type { ClientLoaderFunctionArgs, LoaderFunctionArgs, MetaArgs } from 'react-router';
import { DebtorRows, debtorsQuery } from '../../modules/admin/console/debtors/rows.tsx';
import { createPageMeta } from '../../platform/meta.ts';
import { awaitOnServer, loadInBrowser, loadOnServer } from '../../platform/page-data.ts';
import { EmptyState } from '../../ui/states.tsx';
import { CountedListing } from '../fan/listing.tsx';
import { AdminList } from './admin-list.tsx';
import { createAdminLoad } from './admin-load.ts';
import * as texts from './texts.ts';

export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.outstandingBalances });

const load = createAdminLoad(({ client }) =>
  awaitOnServer(client.ensureInfiniteQueryData({ ...debtorsQuery(), revalidateIfStale: true })),
);
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

export default function DebtorsPage() {
  const query = useInfiniteQuery(debtorsQuery());
  return (
    <AdminList title={texts.outstandingBalances}>
      <CountedListing query={query} empty={<EmptyState line={texts.noOutstandingBalances} />}>
        {(debtors) => <DebtorRows debtors={debtors} />}
      </CountedListing>
    </AdminList>
  );
}
