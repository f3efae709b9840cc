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
import { InformationLinks } from '../features/account/information-links.tsx';
import { PasswordForm } from '../features/account/password-form.tsx';
import { ProfileForm } from '../features/account/profile-form.tsx';
import { SessionList } from '../features/account/session-list.tsx';
import { SettingsSection } from '../features/account/settings-section.tsx';
import { ThemeSwitch } from '../features/account/theme-switch.tsx';
import { TwoFactorSettings } from '../features/account/two-factor.tsx';
import { ChatRule, chatSettingsQuery } from '../features/chat/inbox/chat-rule.tsx';
import { DeleteAccountSection } from '../features/own-data/account-deletion.tsx';
import { BlockedUsers, blockedUsersQuery } from '../features/own-data/blocked-users.tsx';
import { DataExportSection, dataExportQuery } from '../features/own-data/data-export.tsx';
import { ReauthenticationForm } from '../features/own-data/reauthentication-form.tsx';
import { BreaksSection } from '../features/own-limits/breaks.tsx';
import { SpendingLimits, spendingLimitsQuery } from '../features/own-limits/spending-limits.tsx';
import { EmbedsForm, embedsQuery } from '../features/profile-editor/embeds.tsx';
import { GeoBlocksForm, geoBlocksQuery } from '../features/profile-editor/geo-blocks.tsx';
import { mediaSettingsQuery, WatermarkSwitch } from '../features/profile-editor/watermark.tsx';
import { OwnTeamsList, teamsQuery } from '../features/team/own-teams.tsx';
import { logOut } from '../kernel/log-out.ts';
import { createPageMeta } from '../kernel/meta.ts';
import type { PageHandle } from '../kernel/page.ts';
import { loadInBrowser, loadOnServer, type PageLoad } from '../kernel/page-data.ts';
import { apiQuery, routeKey } from '../kernel/query.ts';
import { useViewer } from '../kernel/session.ts';
import { Button } from '../ui/button.tsx';
import { DefinitionList } from '../ui/definition-list.tsx';
import { readColorScheme } from './account/root-fields.ts';

const load: PageLoad<null> = async ({ client, viewer }) => {
  if ((await viewer())?.type === 'creator')
    await Promise.all([
      client.prefetchQuery(mediaSettingsQuery()),
      client.prefetchQuery(chatSettingsQuery()),
      client.prefetchQuery(embedsQuery()),
      client.prefetchQuery(geoBlocksQuery()),
    ]);
  if ((await viewer())?.type !== 'operator')
    await Promise.all([
      client.prefetchQuery(dataExportQuery()),
      client.prefetchQuery(teamsQuery()),
      client.prefetchInfiniteQuery(blockedUsersQuery()),
    ]);
  if ((await viewer())?.type === 'customer') await client.prefetchQuery(spendingLimitsQuery());
  await client.ensureQueryData({ ...apiQuery(listSessions, {}), revalidateIfStale: true });
  return null;
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

export const handle: PageHandle = { width: 'column' };
export const meta = (args: MetaArgs) => createPageMeta(args, { title: 'Account' });

export default function Settings() {
  const client = useQueryClient();
  const refetchSessions = () => void client.invalidateQueries({ queryKey: routeKey(listSessions) });
  const viewer = useViewer();
  const { pathname } = useLocation();
  const theme = readColorScheme(useRouteLoaderData('root'));
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
      <SettingsSection title="Name and photo">
        <ProfileForm viewer={viewer} />
      </SettingsSection>
      <SettingsSection title="Login details">
        <DefinitionList
          items={[
            { name: 'Username', value: viewer.username },
            { name: 'Email', value: viewer.email },
          ]}
        />
      </SettingsSection>
      {viewer.type === 'creator' && (
        <>
          <SettingsSection title="Who can message you" anchor="chat">
            <ChatRule />
          </SettingsSection>
          <SettingsSection title="Your media">
            <WatermarkSwitch />
          </SettingsSection>
          <SettingsSection title="Hidden locations" anchor="regions">
            <GeoBlocksForm username={viewer.username} />
          </SettingsSection>
          <SettingsSection title="Embeds" anchor="embeds">
            <p className="pb-3 text-small text-muted" id="embeds-title">
              Choose which sites can embed your posts, profile card and tip button.
            </p>
            <EmbedsForm />
          </SettingsSection>
        </>
      )}
      {viewer.type === 'customer' && (
        <>
          <SettingsSection title="Spending limits" anchor="limits">
            <SpendingLimits />
          </SettingsSection>
          <SettingsSection title="Take a break" anchor="breaks">
            <BreaksSection
              renderReauthentication={(proofProps) => (
                <ReauthenticationForm
                  username={viewer.username}
                  requiresCode={viewer.isTwoFactorEnabled}
                  {...proofProps}
                />
              )}
            />
          </SettingsSection>
        </>
      )}
      <SettingsSection title="Theme">
        <ThemeSwitch theme={theme} action={PATHS.preferences} next={pathname} />
      </SettingsSection>
      <SettingsSection title="Password" anchor={passwordPath('').slice(1)}>
        <PasswordForm username={viewer.username} needsCode={viewer.isTwoFactorEnabled} onChanged={refetchSessions} />
      </SettingsSection>
      <SettingsSection title="Two-factor authentication">
        <TwoFactorSettings isEnabled={viewer.isTwoFactorEnabled} onEnabled={refetchSessions} />
      </SettingsSection>
      <SettingsSection title="Devices">
        <SessionList />
      </SettingsSection>
      <SettingsSection title="Legal">
        <InformationLinks />
      </SettingsSection>
      {viewer.type !== 'operator' && (
        <>
          <SettingsSection title="Teams you’re on" anchor="teams">
            <OwnTeamsList />
          </SettingsSection>
          <SettingsSection title="Blocked people" anchor="blocked">
            <BlockedUsers isCreator={viewer.type === 'creator'} />
          </SettingsSection>
          <SettingsSection title="Your data" anchor="yours">
            <DataExportSection username={viewer.username} requiresCode={viewer.isTwoFactorEnabled} />
          </SettingsSection>
          <SettingsSection title="Delete account" anchor="close">
            <DeleteAccountSection
              username={viewer.username}
              requiresCode={viewer.isTwoFactorEnabled}
              isCreator={viewer.type === 'creator'}
            />
          </SettingsSection>
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
