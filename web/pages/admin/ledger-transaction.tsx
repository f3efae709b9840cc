import { ADMIN_PATHS } from '@stagedoor/contract/admin/addresses.ts';
import { useSuspenseQuery } from '@tanstack/react-query';
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, type MetaArgs, useParams } from 'react-router';
import { AdminPage, formatAmount } from '../../modules/admin/ledger-explorer/parts.tsx';
import { transactionQuery } from '../../modules/admin/ledger-explorer/queries.ts';
import { TransactionView } from '../../modules/admin/ledger-explorer/transaction.tsx';
import { createPageMeta } from '../../platform/meta.ts';
import type { PageHandle } from '../../platform/page.ts';
import { loadInBrowser, loadOnServer } from '../../platform/page-data.ts';
import { createAdminLoad } from './admin-load.ts';
import * as texts from './texts.ts';

export const handle: PageHandle = { width: 'wide', nav: ADMIN_PATHS.adminLedger };
export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.transaction });

const load = createAdminLoad(({ client, params }) => client.ensureQueryData(transactionQuery(params.id ?? '')));
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

function TransactionDetail({ id }: { id: string }) {
  const { data } = useSuspenseQuery(transactionQuery(id));
  const sum = data.legs.filter(({ amount }) => amount > 0).reduce((total, { amount }) => total + amount, 0);
  return (
    <AdminPage
      title={`${data.title} · ${formatAmount(sum)}`}
      back={{ href: ADMIN_PATHS.adminLedger, label: texts.ledger }}
    >
      <TransactionView view={data} />
    </AdminPage>
  );
}

export default function LedgerTransactionPage() {
  const { id = '' } = useParams();
  return <TransactionDetail key={id} id={id} />;
}
