import { listOwnTiers } from '@stagedoor/contract/content/subscription-tiers.ts';
import { listSessions } from '@stagedoor/contract/identity/accounts.ts';
import { TEAM_PATH } from '@stagedoor/contract/identity/team-addresses.ts';
import { PATHS, passwordPath, preferencesPath } from '@stagedoor/contract/shared/addresses.ts';
import { CASE_PATHS } from '@stagedoor/contract/trust/case-addresses.ts';
import { useQueryClient } from '@tanstack/react-query';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLocation,
  useRouteLoaderData,
} from 'react-router';
import { BreaksSection } from '../modules/commerce/spending-limits/breaks.tsx';
import { SpendingLimits, spendingLimitsQuery } from '../modules/commerce/spending-limits/spending-limits.tsx';
import { EmbedsForm, embedsQuery } from '../modules/content/profiles/editor/embeds.tsx';
import { GeoBlocksForm, geoBlocksQuery } from '../modules/content/profiles/editor/geo-blocks.tsx';
import { mediaSettingsQuery, WatermarkSwitch } from '../modules/content/profiles/editor/watermark.tsx';
import { InformationLinks } from '../modules/identity/accounts/information-links.tsx';
import { PasswordForm } from '../modules/identity/accounts/password-form.tsx';
import { ProfileForm } from '../modules/identity/accounts/profile-form.tsx';
import { SessionList } from '../modules/identity/accounts/session-list.tsx';
import { SettingsSection } from '../modules/identity/accounts/settings-section.tsx';
import { ThemeSwitch } from '../modules/identity/accounts/theme-switch.tsx';
import { TwoFactorSettings } from '../modules/identity/accounts/two-factor.tsx';
import { BlockedUsers, blockedUsersQuery } from '../modules/identity/blocks/blocked-users.tsx';
import { DeleteAccountSection } from '../modules/identity/privacy/account-deletion.tsx';
import { DataExportSection, dataExportQuery } from '../modules/identity/privacy/data-export.tsx';
import { ReauthenticationForm } from '../modules/identity/privacy/reauthentication-form.tsx';
import { OwnTeamsList, teamsQuery } from '../modules/identity/teams/own-teams.tsx';
import { ChatRule, chatSettingsQuery } from '../modules/messaging/chat/inbox/chat-rule.tsx';
import { logOut } from '../platform/log-out.ts';
import { createPageMeta } from '../platform/meta.ts';
import type { PageHandle } from '../platform/page.ts';
import { loadInBrowser, loadOnServer, type PageLoad } from '../platform/page-data.ts';
import { apiQuery, routeKey } from '../platform/query.ts';
import { useViewer } from '../platform/session.ts';
import { Button } from '../ui/button.tsx';
import { DefinitionList } from '../ui/definition-list.tsx';
import { readColorScheme } from './account/root-fields.ts';
import * as texts from './texts.ts';

const load: PageLoad<null> = async ({ client, viewer }) => {
  if ((await viewer())?.type === 'creator')
    await Promise.all([
      client.prefetchQuery(mediaSettingsQuery()),
      client.prefetchQuery(chatSettingsQuery()),
      client.prefetchQuery(apiQuery(listOwnTiers, {})),
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
export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.account });

export default function Settings() {
  const client = useQueryClient();
  const refetchSessions = () => void client.invalidateQueries({ queryKey: routeKey(listSessions) });
  const viewer = useViewer();
  const { pathname } = useLocation();
  const theme = readColorScheme(useRouteLoaderData('root'));
  if (!viewer) return null;
  return (
    <>
      <h1 className="display d2 mt-8">{texts.account}</h1>
      {viewer.type !== 'operator' && (
        <p className="flex flex-wrap gap-3 pt-4">
          {viewer.type === 'customer' && (
            <>
              <Button icon="refresh" href={PATHS.fanSubscriptions}>
                {texts.subscriptions}
              </Button>
              <Button icon="images" href={PATHS.fanMedia}>
                {texts.yourMedia}
              </Button>
            </>
          )}
          <Button icon="share" href={viewer.type === 'creator' ? PATHS.creatorReferral : PATHS.fanReferral}>
            {texts.referrals}
          </Button>
          {viewer.type === 'creator' && (
            <Button icon="people" href={TEAM_PATH}>
              {texts.yourTeam}
            </Button>
          )}
          <Button
            icon="bell"
            href={preferencesPath(viewer.type === 'creator' ? PATHS.creatorNotifications : PATHS.fanNotifications)}
          >
            {texts.notifications}
          </Button>
          <Button icon="help" href={viewer.type === 'creator' ? CASE_PATHS.creatorHelpdesk : CASE_PATHS.fanHelpdesk}>
            {texts.help}
          </Button>
        </p>
      )}
      <SettingsSection title={texts.nameAndPhoto}>
        <ProfileForm viewer={viewer} />
      </SettingsSection>
      <SettingsSection title={texts.loginDetails}>
        <DefinitionList
          items={[
            { name: 'Username', value: viewer.username },
            { name: 'Email', value: viewer.email },
          ]}
        />
      </SettingsSection>
      {viewer.type === 'creator' && (
        <>
          <SettingsSection title={texts.whoCanMessageYou} anchor="chat">
            <ChatRule />
          </SettingsSection>
          <SettingsSection title={texts.yourMedia}>
            <WatermarkSwitch />
          </SettingsSection>
          <SettingsSection title={texts.hiddenLocations} anchor="regions">
            <GeoBlocksForm username={viewer.username} />
          </SettingsSection>
          <SettingsSection title={texts.embeds} anchor="embeds">
            <p className="pb-3 text-small text-muted" id="embeds-title">
              {texts.embedsHint}
            </p>
            <EmbedsForm />
          </SettingsSection>
        </>
      )}
      {viewer.type === 'customer' && (
        <>
          <SettingsSection title={texts.spendingLimits} anchor="limits">
            <SpendingLimits />
          </SettingsSection>
          <SettingsSection title={texts.takeABreak} anchor="breaks">
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
      <SettingsSection title={texts.theme}>
        <ThemeSwitch theme={theme} action={PATHS.preferences} next={pathname} />
      </SettingsSection>
      <SettingsSection title={texts.password} anchor={passwordPath('').slice(1)}>
        <PasswordForm username={viewer.username} needsCode={viewer.isTwoFactorEnabled} onChanged={refetchSessions} />
      </SettingsSection>
      <SettingsSection title={texts.twoFactorAuthentication}>
        <TwoFactorSettings
          isEnabled={viewer.isTwoFactorEnabled}
          isStaff={viewer.type === 'operator'}
          onEnabled={refetchSessions}
        />
      </SettingsSection>
      <SettingsSection title={texts.devices}>
        <SessionList />
      </SettingsSection>
      <SettingsSection title={texts.legal}>
        <InformationLinks />
      </SettingsSection>
      {viewer.type !== 'operator' && (
        <>
          <SettingsSection title={texts.teamsYoureOn} anchor="teams">
            <OwnTeamsList />
          </SettingsSection>
          <SettingsSection title={texts.blockedUsers} anchor="blocked">
            <BlockedUsers isCreator={viewer.type === 'creator'} />
          </SettingsSection>
          <SettingsSection title={texts.yourData} anchor="yours">
            <DataExportSection username={viewer.username} requiresCode={viewer.isTwoFactorEnabled} />
          </SettingsSection>
          <SettingsSection title={texts.deleteAccount} anchor="close">
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
          {texts.logOut}
        </Button>
      </div>
    </>
  );
}
