import { ADMIN_PATHS } from '@stagedoor/contract/admin/addresses.ts';
import { useQuery } from '@tanstack/react-query';
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, type MetaArgs, useSearchParams } from 'react-router';
import { AdminPage } from '../../modules/admin/ledger-explorer/parts.tsx';
import { reconciliationQuery } from '../../modules/admin/ledger-explorer/queries.ts';
import {
  ProcessorBalanceSection,
  ProcessorDays,
  TotalsSection,
} from '../../modules/admin/ledger-explorer/reconciliation.tsx';
import { createPageMeta } from '../../platform/meta.ts';
import type { PageHandle } from '../../platform/page.ts';
import { awaitOnServer, loadInBrowser, loadOnServer } from '../../platform/page-data.ts';
import { ErrorState, SkeletonRows } from '../../ui/states.tsx';
import { createAdminLoad } from './admin-load.ts';
import * as texts from './texts.ts';

export const handle: PageHandle = { width: 'wide', nav: ADMIN_PATHS.adminLedger };
export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.reconciliation });

const load = createAdminLoad(({ client, url }) =>
  awaitOnServer(client.ensureQueryData(reconciliationQuery(url.searchParams))),
);
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

export default function Reconciliation() {
  const [search] = useSearchParams();
  const query = useQuery(reconciliationQuery(search));
  return (
    <AdminPage title={texts.reconciliation} back={{ href: ADMIN_PATHS.adminLedger, label: texts.ledger }}>
      {query.data ? (
        <>
          <TotalsSection totals={query.data.totals} />
          <ProcessorBalanceSection balance={query.data.processorBalance} />
          <ProcessorDays {...query.data} />
        </>
      ) : query.isError ? (
        <ErrorState onRetry={() => void query.refetch()} busy={query.isFetching} more={query.error.message} />
      ) : (
        <SkeletonRows count={8} />
      )}
    </AdminPage>
  );
}
