import { ADMIN_PATHS } from '@stagedoor/contract/admin/addresses.ts';
import { useSuspenseQuery } from '@tanstack/react-query';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useParams,
} from 'react-router';
import { AdminPostView } from '../../modules/admin/console/search/admin-post.tsx';
import { adminPostQuery } from '../../modules/admin/console/search/queries.ts';
import { createPageMeta } from '../../platform/meta.ts';
import { loadInBrowser, loadOnServer } from '../../platform/page-data.ts';
import { AdminList } from './admin-list.tsx';
import { createAdminLoad } from './admin-load.ts';
import * as texts from './texts.ts';

export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.post });

const load = createAdminLoad(({ client, params }) => client.ensureQueryData(adminPostQuery(params.id ?? '')));
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

export default function AdminPostPage() {
  const { id = '' } = useParams();
  const { now } = useLoaderData<typeof loader>();
  const { data } = useSuspenseQuery(adminPostQuery(id));
  return (
    <AdminList
      key={id}
      title={data.title || texts.untitledPost}
      back={{ href: ADMIN_PATHS.adminSearch, label: texts.search }}
    >
      <AdminPostView view={data} now={now} />
    </AdminList>
  );
}
