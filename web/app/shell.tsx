import { getCreatorStats } from '@stagedoor/contract/finance/earnings.ts';
import type { Viewer } from '@stagedoor/contract/identity/accounts.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { useQuery } from '@tanstack/react-query';
import { Activity, Suspense, useMemo } from 'react';
import { type ClientLoaderFunctionArgs, Link, type LoaderFunctionArgs, Outlet } from 'react-router';
import type { NavEntry } from '../platform/module.ts';
import { loadInBrowser, loadOnServer, type PageLoad } from '../platform/page-data.ts';
import { apiQuery } from '../platform/query.ts';
import { useViewer } from '../platform/session.ts';
import { useSiteStatus } from '../platform/site-status.ts';
import { AppShell, type NavItem } from '../ui/shell.tsx';
import { Banner } from '../ui/states.tsx';
import { AppLink } from './app-link.tsx';
import { ErrorMessage } from './error-page.tsx';
import { MODULES } from './modules.ts';
import { NAV, WIDGETS } from './navigation.ts';
import { PendingSkeleton, useIsDelayed, useNavigationState, usePreloadPages } from './navigation-progress.tsx';
import { useRootData } from './root-data.ts';
import * as texts from './texts.ts';
import { visitorParts } from './visitor-parts.ts';

const HOME_PATHS = { customer: PATHS.fanHome, creator: PATHS.creatorDashboard, operator: PATHS.admin } as const;

const NO_ENTRIES: readonly NavEntry[] = [];

const toNavItem = ({ Badge, order: _, ...item }: NavEntry): NavItem =>
  Badge
    ? {
        ...item,
        badge: (
          <Suspense>
            <Badge />
          </Suspense>
        ),
      }
    : item;

const load: PageLoad<null> = async ({ client, viewer }) => {
  const user = await viewer();
  // Failures are ignored because the shell also renders without its figures.
  if (!user) return null;
  const figures = user.type === 'creator' ? client.prefetchQuery(apiQuery(getCreatorStats, {})) : undefined;
  await Promise.all([figures, ...MODULES.map(({ load: loadModule }) => loadModule?.(client, user.type))]);
  return null;
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);
export const shouldRevalidate = () => false;

export function findCurrentHref(items: readonly NavEntry[], pathname: string): string {
  const matching = items.filter(({ href }) => pathname === href || (href !== '/' && pathname.startsWith(`${href}/`)));
  return matching.sort((a, b) => b.href.length - a.href.length)[0]?.href ?? '';
}

function BalanceLink({ viewer }: { viewer: Viewer }) {
  return (
    <Link to={PATHS.fanWallet} aria-label={formatText(texts.balance, { amount: formatUsd(viewer.deposit) })}>
      {formatUsd(viewer.deposit)}
    </Link>
  );
}

function EarningsToday() {
  const stats = useQuery(apiQuery(getCreatorStats, {})).data;
  if (!stats) return null;
  const amount = formatUsd(stats.earnings.today);
  return (
    <Link to={PATHS.creatorDashboard}>
      <span className="sr-only">{texts.earned} </span>
      {amount}
      <span className="font-normal text-muted"> {texts.today}</span>
    </Link>
  );
}

function Frame({ children }: { children: React.ReactNode }) {
  const viewer = useViewer();
  const root = useRootData();
  const siteStatus = useSiteStatus();
  const { pathname, search, handle, pendingHandle } = useNavigationState();
  const isLong = useIsDelayed(pendingHandle !== undefined);
  const page = (isLong && pendingHandle) || handle;
  const { width, flush, bare, rightRail: Rail, rightRailLabel, shell, tabless, detailParam, detailBelow } = page;
  const isDetail =
    (detailParam !== undefined && new URLSearchParams(search).has(detailParam)) ||
    (detailBelow !== undefined && pathname.startsWith(`${detailBelow}/`));
  const entries = viewer ? NAV[viewer.type] : NO_ENTRIES;
  usePreloadPages(useMemo(() => entries.map(({ href }) => href), [entries]));
  if (shell === 'none') return children;
  const notices = siteStatus && (siteStatus.maintenance ?? siteStatus.announcements) && (
    <Suspense>
      <visitorParts.Notices {...siteStatus} />
    </Suspense>
  );
  if (!viewer) {
    return (
      <Suspense>
        <visitorParts.Frame
          width={width}
          flush={flush}
          ageNoticeNext={root?.isOfAge ? undefined : pathname + search}
          hasEnded={root?.hasEnded}
          notice={notices}
        >
          {children}
        </visitorParts.Frame>
      </Suspense>
    );
  }
  if (viewer.delegation) {
    return (
      <Suspense>
        <visitorParts.DelegationLayout link={AppLink} notice={notices} isLeaving={pendingHandle !== undefined}>
          {children}
        </visitorParts.DelegationLayout>
      </Suspense>
    );
  }
  const current = (pendingHandle ?? handle).nav ?? findCurrentHref(entries, pathname);
  const figure =
    viewer.type === 'customer' ? (
      <BalanceLink viewer={viewer} />
    ) : viewer.type === 'creator' ? (
      <EarningsToday />
    ) : undefined;
  const Widget = WIDGETS[viewer.type];
  const topRight = figure && (
    <>
      <Suspense>{Widget && <Widget />}</Suspense>
      {figure}
    </>
  );
  return (
    <AppShell
      items={entries.map(toNavItem)}
      homeHref={HOME_PATHS[viewer.type]}
      current={current}
      linkComponent={AppLink}
      topRight={topRight}
      searchHref={`${PATHS.home}#search`}
      banner={
        <>
          {notices}
          <noscript>
            {/* Only the server's HTML needs this text. */}
            {import.meta.env.SSR && <Banner>{texts.javascriptOffNotice}</Banner>}
          </noscript>
        </>
      }
      width={width}
      flush={flush}
      isLeaving={pendingHandle !== undefined}
      bare={bare || isDetail}
      tabless={tabless || isDetail}
      {...(Rail && { rightRail: <Rail />, rightRailLabel })}
    >
      <Activity mode={isLong ? 'hidden' : 'visible'}>{children}</Activity>
      {isLong && <PendingSkeleton title={entries.find(({ href }) => href === pathname)?.label} />}
    </AppShell>
  );
}

/** All requests of a blocked account fail, so the frame shows the block instead of the page's own error. */
function Blocked({ children }: { children?: React.ReactNode }) {
  return (
    <Suspense>
      <visitorParts.Frame isBlocked>{children}</visitorParts.Frame>
    </Suspense>
  );
}

export default function Shell() {
  const root = useRootData();
  if (root?.isBlocked)
    return (
      <Blocked>
        <Outlet />
      </Blocked>
    );
  return (
    <Frame>
      <Outlet />
    </Frame>
  );
}

export function ErrorBoundary({ error }: { error: unknown }) {
  const root = useRootData();
  if (root?.isBlocked) return <Blocked />;
  return (
    <Frame>
      <ErrorMessage error={error} />
    </Frame>
  );
}
