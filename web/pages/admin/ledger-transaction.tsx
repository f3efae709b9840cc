import { DESK_PATHS } from '@stagedoor/contract/desk-addresses.ts';
import { useSuspenseQuery } from '@tanstack/react-query';
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, type MetaArgs, useParams } from 'react-router';
import { DeskPage, figureText } from '../../features/ledger-desk/parts.tsx';
import { transactionQuery } from '../../features/ledger-desk/queries.ts';
import { TransactionView } from '../../features/ledger-desk/transaction.tsx';
import { pageMeta } from '../../kernel/meta.ts';
import type { PageHandle } from '../../kernel/page.ts';
import { inBrowser, onServer } from '../../kernel/page-data.ts';
import { deskLoad } from './desk-load.ts';

export const handle: PageHandle = { width: 'wide', nav: DESK_PATHS.adminLedger };
export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Transaction' });

const load = deskLoad(({ client, params }) => client.ensureQueryData(transactionQuery(params.id ?? '')));
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

function Desk({ id }: { id: string }) {
  const { data } = useSuspenseQuery(transactionQuery(id));
  const sum = data.legs.filter(({ amount }) => amount > 0).reduce((total, { amount }) => total + amount, 0);
  return (
    <DeskPage title={`${data.title} · ${figureText(sum)}`} back={{ href: DESK_PATHS.adminLedger, words: 'Ledger' }}>
      <TransactionView view={data} />
    </DeskPage>
  );
}

export default function LedgerTransaction() {
  const { id = '' } = useParams();
  return <Desk key={id} id={id} />;
}
