/** The frame of visitors' pages: top bar, age notice and footer links. Logged-in users never load it. */

import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { SEARCH_LENGTH } from '@stagedoor/contract/shared/limits.ts';
import { PUBLIC_PATHS } from '@stagedoor/contract/shared/public-addresses.ts';
import { CASE_PATHS } from '@stagedoor/contract/trust/case-addresses.ts';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { AgeNotice } from '../ui/age-notice.tsx';
import { Button } from '../ui/button.tsx';
import { Banner, EmptyState } from '../ui/states.tsx';
import { Footer, VisitorShell, type VisitorShellProps } from '../ui/visitor-shell.tsx';
import { BLOCKED_MESSAGE } from './blocked-message.ts';
import * as texts from './texts.ts';

export { DelegationLayout } from './delegation-layout.tsx';

const SEARCH = {
  action: PATHS.home,
  href: `${PATHS.home}#search`,
  name: 'search',
  maxLength: SEARCH_LENGTH,
  placeholder: texts.searchPlaceholder,
};
const DISCOVER = { href: PATHS.home, label: texts.discover };
const PRICES = { href: PUBLIC_PATHS.pricing, label: texts.pricing };
const CREATORS = { href: PUBLIC_PATHS.becomeCreator, label: texts.forCreators };
const THEMES = { href: PUBLIC_PATHS.themes, label: texts.themes };
const NAV = [DISCOVER, { href: PUBLIC_PATHS.works, label: texts.posts }, PRICES, CREATORS, THEMES];
const LINKS = [
  DISCOVER,
  { href: PUBLIC_PATHS.works, label: texts.allPosts },
  PRICES,
  CREATORS,
  { href: PUBLIC_PATHS.plans, label: texts.plans },
  THEMES,
  { href: PUBLIC_PATHS.howItWorks, label: texts.howItWorks },
  { href: PUBLIC_PATHS.discovery, label: texts.howWeRankCreators },
  { href: CASE_PATHS.contactUs, label: texts.contact },
];
const LEGAL_LINKS = [
  { href: PUBLIC_PATHS.termsOfService, label: texts.terms },
  { href: PUBLIC_PATHS.privacyPolicy, label: texts.privacy },
  { href: PUBLIC_PATHS.communityRules, label: texts.communityGuidelines },
  { href: CASE_PATHS.complaints, label: texts.complaints },
  { href: PUBLIC_PATHS.dmca, label: 'DMCA' },
  { href: PUBLIC_PATHS.records, label: '2257' },
  { href: PUBLIC_PATHS.policies, label: texts.allPolicies },
];
const JOIN_PATHS: readonly string[] = [PATHS.home, PUBLIC_PATHS.works];

const findCurrentHref = (pathname: string): string | undefined =>
  NAV.find(({ href }) => href === pathname || (href !== PATHS.home && pathname.startsWith(`${href}/`)))?.href;

export type VisitorFrameProps = Omit<
  VisitorShellProps,
  'ageNotice' | 'banner' | 'children' | 'current' | 'footer' | 'loginHref' | 'nav' | 'search' | 'topRight'
> & {
  ageNoticeNext?: string | undefined;
  hasEnded?: boolean | undefined;
  notice?: ReactNode;
  isBlocked?: boolean;
  children?: ReactNode;
};

function Blocked() {
  return (
    <>
      <h1 className="sr-only">{texts.thisAccountIsBlocked}</h1>
      <EmptyState line={BLOCKED_MESSAGE} action={<Button href={CASE_PATHS.contactUs}>{texts.contactUs}</Button>} />
    </>
  );
}

export function VisitorFrame({
  ageNoticeNext,
  hasEnded,
  notice: siteNotice,
  isBlocked = false,
  children,
  ...shell
}: VisitorFrameProps) {
  const { pathname } = useLocation();
  const isClosed = isBlocked && pathname !== CASE_PATHS.contactUs;
  const notice = ageNoticeNext !== undefined && (
    <AgeNotice
      action={PATHS.preferences}
      leaveHref="https://www.google.com/"
      fields={{ age: '1', next: ageNoticeNext }}
    />
  );
  return (
    <VisitorShell
      {...shell}
      loginHref={PATHS.login}
      search={isBlocked ? undefined : SEARCH}
      nav={isBlocked ? undefined : NAV}
      current={findCurrentHref(pathname)}
      topRight={
        !isBlocked &&
        JOIN_PATHS.includes(pathname) && (
          <Button variant="primary" href={PATHS.signupAsFan}>
            {texts.signUp}
          </Button>
        )
      }
      ageNotice={notice}
      banner={
        <>
          {siteNotice}
          {hasEnded && <Banner>{texts.sessionExpiredNotice}</Banner>}
        </>
      }
      footer={
        <Footer links={LINKS} legalLinks={LEGAL_LINKS}>
          <p>{texts.adultsAndPricesNote}</p>
        </Footer>
      }
    >
      {isClosed ? <Blocked /> : children}
    </VisitorShell>
  );
}
