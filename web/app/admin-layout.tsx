import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, Outlet, useLocation } from 'react-router';
import { NoRoleNotice, PageNotAllowed, SecondFactorRequired } from '../features/desk/access-notices.tsx';
import { AdminNav } from '../features/desk/admin-nav.tsx';
import { useSearchKeys } from '../features/desk/lookup/search-shortcuts.ts';
import { canOpenPage, workQueueQuery } from '../features/desk/nav-entries.ts';
import { StepUpDialog } from '../features/desk/step-up.tsx';
import { loadRoles, useActivityTracking, useRoles } from '../kernel/operator.ts';
import type { PageHandle } from '../kernel/page.ts';
import { loadInBrowser, loadOnServer, type PageLoad } from '../kernel/page-data.ts';
import { useViewer } from '../kernel/session.ts';

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
