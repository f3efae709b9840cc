import { useSuspenseQuery } from '@tanstack/react-query';
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, type MetaArgs, useParams } from 'react-router';
import { AdminPayoutView } from '../../modules/admin/console/payouts/admin-payout.tsx';
import { adminPayoutQuery } from '../../modules/admin/console/payouts/filters.ts';
import { createPageMeta } from '../../platform/meta.ts';
import type { PageHandle } from '../../platform/page.ts';
import { loadInBrowser, loadOnServer } from '../../platform/page-data.ts';
import { createAdminLoad } from './admin-load.ts';
import * as texts from './texts.ts';

export const handle: PageHandle = { flush: true, width: 'full' };
export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.payout });

const load = createAdminLoad(({ client, params }) => client.ensureQueryData(adminPayoutQuery(params.id ?? '')));
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

export default function PayoutPage() {
  const { id = '' } = useParams();
  const { data } = useSuspenseQuery(adminPayoutQuery(id));
  // A new status offers other actions, so the key resets the form.
  return <AdminPayoutView key={`${id} ${data.status} ${data.transfer}`} view={data} />;
}
