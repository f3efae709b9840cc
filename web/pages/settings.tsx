import { listSessions } from '@stagedoor/contract/accounts.ts';
import { PATHS, passwordPath, preferencesPath } from '@stagedoor/contract/addresses.ts';
import { CASE_PATHS } from '@stagedoor/contract/case-addresses.ts';
import { TEAM_PATH } from '@stagedoor/contract/team-addresses.ts';
import { useQueryClient } from '@tanstack/react-query';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLocation,
  useRouteLoaderData,
} from 'react-router';
import { HouseLinks } from '../features/account/house-links.tsx';
import { PasswordForm } from '../features/account/password-form.tsx';
import { ProfileForm } from '../features/account/profile-form.tsx';
import { Section } from '../features/account/section.tsx';
import { SessionList } from '../features/account/session-list.tsx';
import { ThemeSwitch } from '../features/account/theme-switch.tsx';
import { TwoFactor } from '../features/account/two-factor.tsx';
import { ChatRule, chatSettingsQuery } from '../features/chat/inbox/chat-rule.tsx';
import { ArchiveSection, archiveQuery } from '../features/own-data/archive.tsx';
import { BlockedPeople, blockedQuery } from '../features/own-data/blocked.tsx';
import { CloseAccount } from '../features/own-data/closing.tsx';
import { ProveForm } from '../features/own-data/prove-form.tsx';
import { Breaks } from '../features/own-limits/breaks.tsx';
import { ownLimitsQuery, SpendingLimits } from '../features/own-limits/spending-limits.tsx';
import { EmbedsForm, embedsQuery } from '../features/profile-editor/embeds.tsx';
import { RegionsForm, regionsQuery } from '../features/profile-editor/regions.tsx';
import { mediaSettingsQuery, WatermarkSwitch } from '../features/profile-editor/watermark.tsx';
import { OwnTeamsList, teamsQuery } from '../features/team/own-teams.tsx';
import { logOut } from '../kernel/log-out.ts';
import { pageMeta } from '../kernel/meta.ts';
import type { PageHandle } from '../kernel/page.ts';
import { inBrowser, onServer, type PageLoad } from '../kernel/page-data.ts';
import { apiQuery, routeKey } from '../kernel/query.ts';
import { useViewer } from '../kernel/session.ts';
import { Button } from '../ui/button.tsx';
import { FactList } from '../ui/facts.tsx';
import { themeOf } from './account/root-facts.ts';

const load: PageLoad<null> = async ({ client, viewer }) => {
  if ((await viewer())?.type === 'creator')
    await Promise.all([
      client.prefetchQuery(mediaSettingsQuery()),
      client.prefetchQuery(chatSettingsQuery()),
      client.prefetchQuery(embedsQuery()),
      client.prefetchQuery(regionsQuery()),
    ]);
  if ((await viewer())?.type !== 'operator')
    await Promise.all([
      client.prefetchQuery(archiveQuery()),
      client.prefetchQuery(teamsQuery()),
      client.prefetchInfiniteQuery(blockedQuery()),
    ]);
  if ((await viewer())?.type === 'customer') await client.prefetchQuery(ownLimitsQuery());
  await client.ensureQueryData({ ...apiQuery(listSessions, {}), revalidateIfStale: true });
  return null;
};
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

export const handle: PageHandle = { width: 'column' };
export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Account' });

export default function Settings() {
  const client = useQueryClient();
  const readDevicesAnew = () => void client.invalidateQueries({ queryKey: routeKey(listSessions) });
  const viewer = useViewer();
  const { pathname } = useLocation();
  const theme = themeOf(useRouteLoaderData('root'));
  if (!viewer) return null;
  return (
    <>
      <h1 className="display d2 mt-8">Account</h1>
      {viewer.type !== 'operator' && (
        <p className="flex flex-wrap gap-3 pt-4">
          {viewer.type === 'customer' && (
            <Button icon="images" href={PATHS.fanMedia}>
              Your media
            </Button>
          )}
          <Button icon="share" href={viewer.type === 'creator' ? PATHS.creatorReferral : PATHS.fanReferral}>
            Referrals
          </Button>
          {viewer.type === 'creator' && (
            <Button icon="people" href={TEAM_PATH}>
              Your team
            </Button>
          )}
          <Button
            icon="bell"
            href={preferencesPath(viewer.type === 'creator' ? PATHS.creatorNotifications : PATHS.fanNotifications)}
          >
            Notifications
          </Button>
          <Button icon="help" href={viewer.type === 'creator' ? CASE_PATHS.creatorHelpdesk : CASE_PATHS.fanHelpdesk}>
            Help
          </Button>
        </p>
      )}
      <Section title="Name and photo">
        <ProfileForm viewer={viewer} />
      </Section>
      <Section title="Login details">
        <FactList
          facts={[
            { name: 'Username', value: viewer.username },
            { name: 'Email', value: viewer.email },
          ]}
        />
      </Section>
      {viewer.type === 'creator' && (
        <>
          <Section title="Who can message you" anchor="chat">
            <ChatRule />
          </Section>
          <Section title="Your media">
            <WatermarkSwitch />
          </Section>
          <Section title="Hidden locations" anchor="regions">
            <RegionsForm username={viewer.username} />
          </Section>
          <Section title="Embeds" anchor="embeds">
            <p className="pb-3 text-small text-muted" id="embeds-title">
              Choose which sites can embed your posts, profile card and tip button.
            </p>
            <EmbedsForm />
          </Section>
        </>
      )}
      {viewer.type === 'customer' && (
        <>
          <Section title="Spending limits" anchor="limits">
            <SpendingLimits />
          </Section>
          <Section title="Take a break" anchor="breaks">
            <Breaks
              askProof={(asked) => (
                <ProveForm username={viewer.username} asksCode={viewer.isTwoFactorEnabled} {...asked} />
              )}
            />
          </Section>
        </>
      )}
      <Section title="Theme">
        <ThemeSwitch theme={theme} action={PATHS.preferences} next={pathname} />
      </Section>
      <Section title="Password" anchor={passwordPath('').slice(1)}>
        <PasswordForm username={viewer.username} asksCode={viewer.isTwoFactorEnabled} onChanged={readDevicesAnew} />
      </Section>
      <Section title="Two-factor authentication">
        <TwoFactor isEnabled={viewer.isTwoFactorEnabled} onEnabled={readDevicesAnew} />
      </Section>
      <Section title="Devices">
        <SessionList />
      </Section>
      <Section title="Legal">
        <HouseLinks />
      </Section>
      {viewer.type !== 'operator' && (
        <>
          <Section title="Teams you’re on" anchor="teams">
            <OwnTeamsList />
          </Section>
          <Section title="Blocked people" anchor="blocked">
            <BlockedPeople isCreator={viewer.type === 'creator'} />
          </Section>
          <Section title="Your data" anchor="yours">
            <ArchiveSection username={viewer.username} asksCode={viewer.isTwoFactorEnabled} />
          </Section>
          <Section title="Delete account" anchor="close">
            <CloseAccount
              username={viewer.username}
              asksCode={viewer.isTwoFactorEnabled}
              isCreator={viewer.type === 'creator'}
            />
          </Section>
        </>
      )}
      <div className="mt-12 border-t border-line pt-6">
        <Button icon="logout" onClick={() => void logOut(client)}>
          Log out
        </Button>
      </div>
    </>
  );
}
