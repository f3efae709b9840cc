import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, Outlet, useLocation } from 'react-router';
import { NoRoleNotice, PageNotAllowed, SecondFactorRequired } from '../modules/admin/console/access-notices.tsx';
import { AdminNav } from '../modules/admin/console/admin-nav.tsx';
import { canOpenPage, workQueueQuery } from '../modules/admin/console/nav-entries.ts';
import { useSearchKeys } from '../modules/admin/console/search/search-shortcuts.ts';
import { StepUpDialog } from '../modules/admin/console/step-up.tsx';
import { loadRoles, useActivityTracking, useRoles } from '../platform/operator.ts';
import type { PageHandle } from '../platform/page.ts';
import { loadInBrowser, loadOnServer, type PageLoad } from '../platform/page-data.ts';
import { useViewer } from '../platform/session.ts';

export const handle: PageHandle = { width: 'wide' };

const load: PageLoad<null> = async ({ client, viewer }) => {
  // The pages also render without the counts.
  if ((await viewer())?.isTwoFactorEnabled && (await loadRoles(client)).length > 0)
    await client.prefetchQuery(workQueueQuery());
  return null;
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

function AdminContent() {
  const { pathname } = useLocation();
  const roles = useRoles();
  useActivityTracking();
  useSearchKeys();
  if (roles.length === 0) return <NoRoleNotice />;
  return (
    <div className="desk">
      <AdminNav pathname={pathname} />
      {canOpenPage(pathname, roles) ? <Outlet /> : <PageNotAllowed />}
      <StepUpDialog />
    </div>
  );
}

export default function AdminLayout() {
  return useViewer()?.isTwoFactorEnabled ? <AdminContent /> : <SecondFactorRequired />;
}
