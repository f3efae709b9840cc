/** The layout for team members who act on behalf of a creator, in a chunk that other users never load. */
import type { Viewer } from '@stagedoor/contract/accounts.ts';
import { PATHS } from '@stagedoor/contract/addresses.ts';
import type { TeamRight } from '@stagedoor/contract/atoms/acting.ts';
import { type ReactNode, Suspense, useMemo } from 'react';
import { useLocation, useMatches } from 'react-router';
import { lazyPart } from '../kernel/lazy-part.ts';
import { mergeHandles } from '../kernel/page.ts';
import type { NavEntry } from '../kernel/room.ts';
import { useViewer } from '../kernel/session.ts';
import type { LinkComponent } from '../ui/link.tsx';
import { AppShell } from '../ui/shell.tsx';
import { NAV } from './rooms.ts';

const OPENS: Readonly<Record<TeamRight, readonly string[]>> = {
  chat: [PATHS.creatorChat],
  posts: [PATHS.creatorFeed, PATHS.creatorNewPost, PATHS.creatorMedia],
  figures: [PATHS.creatorEarning],
};

const ActingBar = lazyPart(async () => (await import('../features/team/acting-bar.tsx')).ActingBar);

/** `link` is passed in by the shell because importing it here would create a separate chunk. */
export type ActingFrameProps = { link: LinkComponent; notice: ReactNode; isLeaving: boolean; children: ReactNode };

export function ActingFrame({ children, ...frame }: ActingFrameProps) {
  const viewer = useViewer();
  return (
    viewer && (
      <Frame viewer={viewer} {...frame}>
        {children}
      </Frame>
    )
  );
}

function Frame({ viewer, link, notice, isLeaving, children }: ActingFrameProps & { viewer: Viewer }) {
  const { pathname, search } = useLocation();
  const place = mergeHandles(useMatches());
  const { acting } = viewer;
  const isOpen = useMemo(() => {
    const open = new Set((acting?.rights ?? []).flatMap((right) => OPENS[right]));
    return ({ href }: NavEntry) => open.has(href);
  }, [acting]);
  const entries = NAV.creator.filter(isOpen);
  const current = entries.find(({ href }) => pathname === href || pathname.startsWith(`${href}/`));
  const { deepBelow, deepWith } = place;
  const isDeep =
    (deepBelow !== undefined && pathname.startsWith(`${deepBelow}/`)) ||
    (deepWith !== undefined && new URLSearchParams(search).has(deepWith));
  return (
    <div className="contents [--acting:3.25rem]">
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
        current={place.nav ?? current?.href ?? ''}
        linkComponent={link}
        banner={
          <>
            {notice}
            <Suspense fallback={<div className="h-(--acting)" />}>
              <ActingBar viewer={viewer} />
            </Suspense>
          </>
        }
        width={place.width}
        flush={place.flush}
        isLeaving={isLeaving}
        bare={place.bare || isDeep}
        tabless={place.tabless || isDeep}
      >
        {children}
      </AppShell>
    </div>
  );
}
