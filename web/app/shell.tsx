import type { Viewer } from '@stagedoor/contract/accounts.ts';
import { PATHS } from '@stagedoor/contract/addresses.ts';
import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { creatorStats } from '@stagedoor/contract/earnings.ts';
import { useQuery } from '@tanstack/react-query';
import { Activity, Suspense, useMemo } from 'react';
import { type ClientLoaderFunctionArgs, Link, type LoaderFunctionArgs, Outlet } from 'react-router';
import { useHouse } from '../kernel/house.ts';
import { inBrowser, onServer, type PageLoad } from '../kernel/page-data.ts';
import { apiQuery } from '../kernel/query.ts';
import type { NavEntry } from '../kernel/room.ts';
import { useViewer } from '../kernel/session.ts';
import { AppShell, type NavItem } from '../ui/shell.tsx';
import { Banner } from '../ui/states.tsx';
import { AppLink } from './app-link.tsx';
import { ErrorWords } from './error-page.tsx';
import { Coming, useLong, useNear, usePlace } from './going.tsx';
import { MODULES } from './modules.ts';
import { NAV, WIDGETS } from './rooms.ts';
import { useRootData } from './root-data.ts';
import { ActingFrame, visitors } from './visitor-frame-here.ts';

const OWN_HOMES = { customer: PATHS.fanHome, creator: PATHS.creatorDashboard, operator: PATHS.admin } as const;

const NOWHERE: readonly NavEntry[] = [];

const itemOf = ({ Badge, order: _, ...item }: NavEntry): NavItem =>
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
  const who = await viewer();
  // Failures are ignored because the shell also renders without its figures.
  if (!who) return null;
  const figures = who.type === 'creator' ? client.prefetchQuery(apiQuery(creatorStats, {})) : undefined;
  await Promise.all([figures, ...MODULES.map(({ load: ask }) => ask?.(client, who.type))]);
  return null;
};
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);
export const shouldRevalidate = () => false;

export function currentItem(items: readonly NavEntry[], pathname: string): string {
  const fits = items.filter(({ href }) => pathname === href || (href !== '/' && pathname.startsWith(`${href}/`)));
  return fits.sort((a, b) => b.href.length - a.href.length)[0]?.href ?? '';
}

function Balance({ viewer }: { viewer: Viewer }) {
  return (
    <Link to={PATHS.fanWallet} aria-label={`Balance ${formatUsd(viewer.deposit)}`}>
      {formatUsd(viewer.deposit)}
    </Link>
  );
}

function Today() {
  const stats = useQuery(apiQuery(creatorStats, {})).data;
  if (!stats) return null;
  const amount = formatUsd(stats.earnings.today);
  return (
    <Link to={PATHS.creatorDashboard}>
      <span className="sr-only">Earned </span>
      {amount}
      <span className="font-normal text-muted"> today</span>
    </Link>
  );
}

function Frame({ children }: { children: React.ReactNode }) {
  const viewer = useViewer();
  const root = useRootData();
  const house = useHouse();
  const { pathname, search, handle, coming } = usePlace();
  const isLong = useLong(coming !== undefined);
  const shown = (isLong && coming) || handle;
  const { width, flush, bare, rightRail: Rail, rightRailLabel, shell, tabless, deepWith, deepBelow } = shown;
  const isDeep =
    (deepWith !== undefined && new URLSearchParams(search).has(deepWith)) ||
    (deepBelow !== undefined && pathname.startsWith(`${deepBelow}/`));
  const entries = viewer ? NAV[viewer.type] : NOWHERE;
  useNear(useMemo(() => entries.map(({ href }) => href), [entries]));
  if (shell === 'none') return children;
  const notices = house && (house.maintenance ?? house.announcements) && (
    <Suspense>
      <visitors.Notices {...house} />
    </Suspense>
  );
  if (!viewer) {
    return (
      <Suspense>
        <visitors.Frame
          width={width}
          flush={flush}
          askAgeAt={root?.isOfAge ? undefined : pathname + search}
          hasEnded={root?.hasEnded}
          notice={notices}
        >
          {children}
        </visitors.Frame>
      </Suspense>
    );
  }
  if (viewer.acting) {
    return (
      <Suspense>
        <ActingFrame link={AppLink} notice={notices} isLeaving={coming !== undefined}>
          {children}
        </ActingFrame>
      </Suspense>
    );
  }
  const current = (coming ?? handle).nav ?? currentItem(entries, pathname);
  const figure =
    viewer.type === 'customer' ? <Balance viewer={viewer} /> : viewer.type === 'creator' ? <Today /> : undefined;
  const Widget = WIDGETS[viewer.type];
  const topRight = figure && (
    <>
      <Suspense>{Widget && <Widget />}</Suspense>
      {figure}
    </>
  );
  return (
    <AppShell
      items={entries.map(itemOf)}
      homeHref={OWN_HOMES[viewer.type]}
      current={current}
      linkComponent={AppLink}
      topRight={topRight}
      searchHref={`${PATHS.home}#search`}
      banner={
        <>
          {notices}
          <noscript>
            {/* Only the server's HTML needs this text. */}
            {import.meta.env.SSR && (
              <Banner>JavaScript is off. You can browse, follow and unlock; everything else needs it.</Banner>
            )}
          </noscript>
        </>
      }
      width={width}
      flush={flush}
      isLeaving={coming !== undefined}
      bare={bare || isDeep}
      tabless={tabless || isDeep}
      {...(Rail && { rightRail: <Rail />, rightRailLabel })}
    >
      <Activity mode={isLong ? 'hidden' : 'visible'}>{children}</Activity>
      {isLong && <Coming title={entries.find(({ href }) => href === pathname)?.label} />}
    </AppShell>
  );
}

/** All requests of a blocked account fail, so the frame shows the block instead of the page's own error. */
function Blocked({ children }: { children?: React.ReactNode }) {
  return (
    <Suspense>
      <visitors.Frame isBlocked>{children}</visitors.Frame>
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
      <ErrorWords error={error} />
    </Frame>
  );
}
