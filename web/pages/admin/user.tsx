import { ADMIN_PATHS } from '@stagedoor/contract/admin/addresses.ts';
import { canOperatorReadQueue } from '@stagedoor/contract/admin/operator-rights.ts';
import { useSuspenseQuery } from '@tanstack/react-query';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useParams,
} from 'react-router';
import { AdminUserView } from '../../modules/admin/console/search/admin-user.tsx';
import { adminUserQuery } from '../../modules/admin/console/search/queries.ts';
import { createPageMeta } from '../../platform/meta.ts';
import { useRoles } from '../../platform/operator.ts';
import { loadInBrowser, loadOnServer } from '../../platform/page-data.ts';
import { AdminList } from './admin-list.tsx';
import { createAdminLoad } from './admin-load.ts';
import * as texts from './texts.ts';

export const meta = (args: MetaArgs) => createPageMeta(args, { title: 'Person' });

const load = createAdminLoad(({ client, params }) => client.ensureQueryData(adminUserQuery(params.id ?? '')));
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

export default function UserPage() {
  const { id = '' } = useParams();
  const { now } = useLoaderData<typeof loader>();
  const { data } = useSuspenseQuery(adminUserQuery(id));
  const canReadCases = canOperatorReadQueue(useRoles(), 'reports');
  return (
    <AdminList key={id} title={data.name} back={{ href: ADMIN_PATHS.adminSearch, label: texts.search }}>
      <AdminUserView view={data} now={now} canReadCases={canReadCases} />
    </AdminList>
  );
}
