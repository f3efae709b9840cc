/** Whose teams one is in: the switch between oneself and the creators for whom one acts, and invitations to oneself. */
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, type MetaArgs, redirect } from 'react-router';
import { OwnTeamsList, teamsQuery } from '../features/team/own-teams.tsx';
import { pageMeta } from '../kernel/meta.ts';
import type { PageHandle } from '../kernel/page.ts';
import { inBrowser, loginAddress, onServer, type PageLoad } from '../kernel/page-data.ts';

export const handle: PageHandle = { width: 'column' };
export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Teams' });

const load: PageLoad<null> = async ({ client, url, viewer }) => {
  if (!(await viewer())) throw redirect(loginAddress(url));
  await client.ensureQueryData({ ...teamsQuery(), revalidateIfStale: true });
  return null;
};
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

export default function TeamsPage() {
  return (
    <>
      <h1 className="display d2 mt-8">Teams</h1>
      <p className="pt-3 pb-6 text-muted">
        Creators whom you help. You act for them by your own log-in, and they see what you did.
      </p>
      <OwnTeamsList />
    </>
  );
}
