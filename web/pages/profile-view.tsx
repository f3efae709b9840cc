import type { Profile } from '@stagedoor/contract/content/profiles.ts';
import type { ReactNode } from 'react';
import { toProfileHref } from '../modules/content/profiles/creator-card.tsx';
import { ProfileAside, ProfileHead } from '../modules/content/profiles/profile-head.tsx';
import { Themed } from '../modules/content/themes/themed.tsx';
import { useViewer } from '../platform/session.ts';
import { Tabs } from '../ui/chips.tsx';
import * as texts from './texts.ts';

export const PROFILE_TABS = ['posts', 'media', 'about'] as const;
export type ProfileTab = (typeof PROFILE_TABS)[number];

const TABS_ID = 'work';

export function useTabsHash(): string {
  return useViewer() ? '' : `#${TABS_ID}`;
}

export type ProfileViewProps = {
  profile: Profile;
  tab: ProfileTab;
  actions: ReactNode;
  /** What the page leads with, above the tabs. */
  lead?: ReactNode;
  aside?: ReactNode;
  children: ReactNode;
};

export function ProfileView({ profile, tab, actions, lead, aside, children }: ProfileViewProps) {
  const base = toProfileHref(profile);
  const hash = useTabsHash();
  const hrefs: Record<ProfileTab, string> = {
    posts: base + hash,
    media: `${base}?tab=media${hash}`,
    about: `${base}?tab=about${hash}`,
  };
  const tabs = [
    { href: hrefs.posts, label: texts.posts, count: profile.totalPostCount.toLocaleString('en-US') },
    { href: hrefs.media, label: texts.media, count: profile.totalMediaCount.toLocaleString('en-US') },
    { href: hrefs.about, label: texts.about },
  ];
  const isAbout = tab === 'about';
  return (
    <Themed appearance={profile.theme} className="themed--page">
      <ProfileHead profile={profile} actions={actions} />
      {lead}
      <div className="px-edge lg:grid lg:grid-cols-[minmax(0,8fr)_minmax(0,3fr)] lg:gap-x-14">
        {!isAbout && (
          <div className="grid grid-cols-1 content-start gap-6 pt-5 pb-4 lg:col-start-2 lg:row-start-1 lg:pt-7">
            <ProfileAside profile={profile} aboutHref={hrefs.about} />
            <div className="grid grid-cols-1 gap-6 empty:hidden lg:order-first">{aside}</div>
          </div>
        )}
        <div className={isAbout ? 'pt-4 lg:col-start-1 lg:row-start-1 lg:pt-0' : 'lg:col-start-1 lg:row-start-1'}>
          <Tabs id={TABS_ID} label={texts.profile} tabs={tabs} current={hrefs[tab]} />
          {/* Tall enough that the scroll position can stay, however little a tab contains. */}
          <div className="min-h-[85svh]">{children}</div>
        </div>
      </div>
    </Themed>
  );
}
