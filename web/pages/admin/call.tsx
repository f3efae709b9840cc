import { ADMIN_PATHS } from '@stagedoor/contract/admin/addresses.ts';
import { useSuspenseQuery } from '@tanstack/react-query';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useParams,
} from 'react-router';
import { AdminCallView } from '../../modules/admin/console/search/admin-call.tsx';
import { adminCallQuery } from '../../modules/admin/console/search/queries.ts';
import { createPageMeta } from '../../platform/meta.ts';
import { loadInBrowser, loadOnServer } from '../../platform/page-data.ts';
import { AdminList } from './admin-list.tsx';
import { createAdminLoad } from './admin-load.ts';
import * as texts from './texts.ts';

export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.call });

const load = createAdminLoad(({ client, params }) => client.ensureQueryData(adminCallQuery(params.id ?? '')));
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

export default function CallPage() {
  const { id = '' } = useParams();
  const { now } = useLoaderData<typeof loader>();
  const { data } = useSuspenseQuery(adminCallQuery(id));
  return (
    <AdminList key={id} title={texts.call} back={{ href: ADMIN_PATHS.adminSearch, label: texts.search }}>
      <AdminCallView view={data} now={now} />
    </AdminList>
  );
}
