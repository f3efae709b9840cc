/** The layout for team members who act on behalf of a creator, in a chunk that other users never load. */
import type { Viewer } from '@stagedoor/contract/identity/accounts.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import type { TeamRight } from '@stagedoor/contract/shared/delegation.ts';
import { type ReactNode, Suspense, useMemo } from 'react';
import { useLocation, useMatches } from 'react-router';
import { lazyPart } from '../platform/lazy-part.ts';
import type { NavEntry } from '../platform/module.ts';
import { mergeHandles } from '../platform/page.ts';
import { useViewer } from '../platform/session.ts';
import type { LinkComponent } from '../ui/link.tsx';
import { AppShell } from '../ui/shell.tsx';
import { NAV } from './navigation.ts';

const RIGHT_PATHS: Readonly<Record<TeamRight, readonly string[]>> = {
  chat: [PATHS.creatorChat],
  posts: [PATHS.creatorFeed, PATHS.creatorNewPost, PATHS.creatorMedia],
  figures: [PATHS.creatorEarning],
};

const DelegationBar = lazyPart(
  async () => (await import('../modules/identity/teams/delegation-bar.tsx')).DelegationBar,
);

/** `link` is passed in by the shell because importing it here would create a separate chunk. */
export type DelegationLayoutProps = { link: LinkComponent; notice: ReactNode; isLeaving: boolean; children: ReactNode };

export function DelegationLayout({ children, ...frame }: DelegationLayoutProps) {
  const viewer = useViewer();
  return (
    viewer && (
      <DelegationShell viewer={viewer} {...frame}>
        {children}
      </DelegationShell>
    )
  );
}

function DelegationShell({ viewer, link, notice, isLeaving, children }: DelegationLayoutProps & { viewer: Viewer }) {
  const { pathname, search } = useLocation();
  const page = mergeHandles(useMatches());
  const { delegation } = viewer;
  const isAllowed = useMemo(() => {
    const allowedPaths = new Set((delegation?.rights ?? []).flatMap((right) => RIGHT_PATHS[right]));
    return ({ href }: NavEntry) => allowedPaths.has(href);
  }, [delegation]);
  const entries = NAV.creator.filter(isAllowed);
  const current = entries.find(({ href }) => pathname === href || pathname.startsWith(`${href}/`));
  const { detailBelow, detailParam } = page;
  const isDetail =
    (detailBelow !== undefined && pathname.startsWith(`${detailBelow}/`)) ||
    (detailParam !== undefined && new URLSearchParams(search).has(detailParam));
  return (
    <div className="contents [--acting:3.25rem]" data-lazy-frame>
      <AppShell
        items={entries.map(({ Badge, order: _, isRailOnly: __, ...item }) => ({
          ...item,
          badge: Badge && (
            <Suspense>
              <Badge />
            </Suspense>
          ),
        }))}
        homeHref={entries[0]?.href}
        current={page.nav ?? current?.href ?? ''}
        linkComponent={link}
        banner={
          <>
            {notice}
            <Suspense fallback={<div className="h-(--acting)" />}>
              <DelegationBar viewer={viewer} />
            </Suspense>
          </>
        }
        width={page.width}
        flush={page.flush}
        isLeaving={isLeaving}
        bare={page.bare || isDetail}
        tabless={page.tabless || isDetail}
      >
        {children}
      </AppShell>
    </div>
  );
}
