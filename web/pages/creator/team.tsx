import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import type { ClientLoaderFunctionArgs, LoaderFunctionArgs, MetaArgs } from 'react-router';
import { TeamMemberList, teamQuery } from '../../modules/identity/teams/members.tsx';
import { TeamActions, teamActionsQuery } from '../../modules/identity/teams/team-actions.tsx';
import { createPageMeta } from '../../platform/meta.ts';
import type { PageHandle } from '../../platform/page.ts';
import { loadInBrowser, loadOnServer, type PageLoad } from '../../platform/page-data.ts';
import { SectionHead } from '../../ui/label.tsx';
import * as texts from './texts.ts';

export const handle: PageHandle = { width: 'column', nav: PATHS.creatorSettings };
export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.yourTeam });

const load: PageLoad<null> = async ({ client }) => {
  await Promise.all([
    client.ensureQueryData({ ...teamQuery(), revalidateIfStale: true }),
    client.prefetchInfiniteQuery(teamActionsQuery()),
  ]);
  return null;
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

export default function TeamPage() {
  return (
    <>
      <h1 className="display d2 mt-8">{texts.yourTeam}</h1>
      <p className="pt-3 pb-6 text-muted">{texts.teamIntro}</p>
      <TeamMemberList />
      <section className="mt-12" aria-labelledby="team-acts">
        <SectionHead id="team-acts" title={texts.activity} />
        <div className="mt-4">
          <TeamActions />
        </div>
      </section>
    </>
  );
}
