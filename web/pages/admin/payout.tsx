import { useSuspenseQuery } from '@tanstack/react-query';
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, type MetaArgs, useParams } from 'react-router';
import { PayoutCaseView } from '../../features/desk/payouts/case.tsx';
import { payoutCaseQuery } from '../../features/desk/payouts/filters.ts';
import { pageMeta } from '../../kernel/meta.ts';
import type { PageHandle } from '../../kernel/page.ts';
import { inBrowser, onServer } from '../../kernel/page-data.ts';
import { deskLoad } from './desk-load.ts';

export const handle: PageHandle = { flush: true, width: 'full' };
export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Payout' });

const load = deskLoad(({ client, params }) => client.ensureQueryData(payoutCaseQuery(params.id ?? '')));
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

export default function PayoutPage() {
  const { id = '' } = useParams();
  const { data } = useSuspenseQuery(payoutCaseQuery(id));
  // A new status offers other actions, so the key resets the form.
  return <PayoutCaseView key={`${id} ${data.status} ${data.transfer}`} view={data} />;
}
