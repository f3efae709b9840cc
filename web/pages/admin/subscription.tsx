import { ADMIN_PATHS } from '@stagedoor/contract/admin/addresses.ts';
import { useSuspenseQuery } from '@tanstack/react-query';
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, type MetaArgs, useParams } from 'react-router';
import { AdminSubscriptionView } from '../../modules/admin/console/subscriptions/detail.tsx';
import { adminSubscriptionQuery } from '../../modules/admin/console/subscriptions/queries.ts';
import { createPageMeta } from '../../platform/meta.ts';
import { loadInBrowser, loadOnServer } from '../../platform/page-data.ts';
import { AdminList } from './admin-list.tsx';
import { createAdminLoad } from './admin-load.ts';
import * as texts from './texts.ts';

export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.subscription });

const load = createAdminLoad(({ client, params }) => client.ensureQueryData(adminSubscriptionQuery(params.id ?? '')));
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

export default function SubscriptionPage() {
  const { id = '' } = useParams();
  const { data } = useSuspenseQuery(adminSubscriptionQuery(id));
  return (
    <AdminList
      key={id}
      title={texts.subscription}
      back={{ href: ADMIN_PATHS.adminSubscriptions, label: texts.subscriptions }}
    >
      <AdminSubscriptionView view={data} />
    </AdminList>
  );
}
