import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, Outlet, useLocation } from 'react-router';
import { DeskNav } from '../features/desk/desk-nav.tsx';
import { deskQuery, mayOpen } from '../features/desk/entries.ts';
import { useSearchKeys } from '../features/desk/lookup/keys.ts';
import { NeedsSecondFactor, NoRole, NotInRole } from '../features/desk/needs-second-factor.tsx';
import { ProofDialog } from '../features/desk/proof.tsx';
import { rolesOf, useAttendance, useRoles } from '../kernel/operator.ts';
import type { PageHandle } from '../kernel/page.ts';
import { inBrowser, onServer, type PageLoad } from '../kernel/page-data.ts';
import { useViewer } from '../kernel/session.ts';

export const handle: PageHandle = { width: 'wide' };

const load: PageLoad<null> = async ({ client, viewer }) => {
  // The pages also render without the counts.
  if ((await viewer())?.isTwoFactorEnabled && (await rolesOf(client)).length > 0)
    await client.prefetchQuery(deskQuery());
  return null;
};
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

function Desk() {
  const { pathname } = useLocation();
  const roles = useRoles();
  useAttendance();
  useSearchKeys();
  if (roles.length === 0) return <NoRole />;
  return (
    <div className="desk">
      <DeskNav pathname={pathname} />
      {mayOpen(pathname, roles) ? <Outlet /> : <NotInRole />}
      <ProofDialog />
    </div>
  );
}

export default function DeskFrame() {
  return useViewer()?.isTwoFactorEnabled ? <Desk /> : <NeedsSecondFactor />;
}
