import { DESK_PATHS } from '@stagedoor/contract/desk-addresses.ts';
import { useQuery } from '@tanstack/react-query';
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, type MetaArgs, useSearchParams } from 'react-router';
import { DeskPage } from '../../features/ledger-desk/parts.tsx';
import { reconciliationQuery } from '../../features/ledger-desk/queries.ts';
import { ProcessorDays, Totals, Way } from '../../features/ledger-desk/reconciliation.tsx';
import { pageMeta } from '../../kernel/meta.ts';
import type { PageHandle } from '../../kernel/page.ts';
import { begin, inBrowser, onServer } from '../../kernel/page-data.ts';
import { ErrorState, SkeletonRows } from '../../ui/states.tsx';
import { deskLoad } from './desk-load.ts';

export const handle: PageHandle = { width: 'wide', nav: DESK_PATHS.adminLedger };
export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Reconciliation' });

const load = deskLoad(({ client, url }) => begin(client.ensureQueryData(reconciliationQuery(url.searchParams))));
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

export default function Reconciliation() {
  const [search] = useSearchParams();
  const query = useQuery(reconciliationQuery(search));
  return (
    <DeskPage title="Reconciliation" back={{ href: DESK_PATHS.adminLedger, words: 'Ledger' }}>
      {query.data ? (
        <>
          <Totals totals={query.data.totals} />
          <Way way={query.data.way} />
          <ProcessorDays {...query.data} />
        </>
      ) : query.isError ? (
        <ErrorState onRetry={() => void query.refetch()} busy={query.isFetching} more={query.error.message} />
      ) : (
        <SkeletonRows count={8} />
      )}
    </DeskPage>
  );
}
