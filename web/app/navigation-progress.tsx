/**
 * Navigation and title follow a tap at once, a skeleton appears after a short delay, and the code of nearby pages is
 * preloaded when idle.
 */

import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { type ReactNode, useContext, useEffect, useState } from 'react';
import { matchRoutes, UNSAFE_DataRouterContext, UNSAFE_FrameworkContext, useLocation, useMatches } from 'react-router';
import { runWhenIdle } from '../platform/idle.ts';
import { mergeHandles, type PageHandle } from '../platform/page.ts';
import { usePendingLocation } from '../platform/pending-location.ts';
import { prefetchRouteFiles } from '../platform/route-module.ts';
import { SkeletonRows } from '../ui/states.tsx';
import * as texts from './texts.ts';

const SKELETON_DELAY_MS = 80;

export interface NavigationState {
  readonly pathname: string;
  readonly search: string;
  readonly handle: PageHandle;
  readonly pendingHandle: PageHandle | undefined;
}

type RouteStep = { id: string; pathname: string };

export function useNavigationState(): NavigationState {
  const { pathname, search } = usePendingLocation();
  const { pathname: currentPathname } = useLocation();
  const currentMatches: readonly (RouteStep & { handle: unknown })[] = useMatches();
  const router = useContext(UNSAFE_DataRouterContext)?.router;
  const handle = mergeHandles(currentMatches);
  const pendingMatches = (pathname !== currentPathname && router && matchRoutes(router.routes, pathname)) || [];
  // Layout routes have no address of their own.
  const pages = pendingMatches.filter(({ route }) => route.path || route.index);
  const isSame = ({ route, pathname: matchPathname }: (typeof pages)[number]) =>
    currentMatches.some((step) => step.id === route.id && step.pathname === matchPathname);
  if (pages.length === 0 || pages.some(isSame)) return { pathname, search, handle, pendingHandle: undefined };
  return {
    pathname,
    search,
    handle,
    pendingHandle: mergeHandles(pendingMatches.map(({ route }) => ({ handle: route.handle }))),
  };
}

export function useIsDelayed(isWaiting: boolean): boolean {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => setLong(true), SKELETON_DELAY_MS);
    return () => {
      clearTimeout(timer);
      setLong(false);
    };
  }, [isWaiting]);
  return isWaiting && isLong;
}

export function PendingSkeleton({ title }: { title: string | undefined }): ReactNode {
  return (
    <div className="pt-7 lg:pt-10" data-coming="">
      {title && <h1 className="display d2 mb-3">{title}</h1>}
      <SkeletonRows count={6} label={title ? formatText(texts.openingPage, { title }) : texts.opening} />
    </div>
  );
}

function isSavingData(): boolean {
  const connection: unknown = 'connection' in navigator ? navigator.connection : undefined;
  return (
    typeof connection === 'object' && connection !== null && 'saveData' in connection && connection.saveData === true
  );
}

export function usePreloadPages(addresses: readonly string[]): void {
  const router = useContext(UNSAFE_DataRouterContext)?.router;
  const framework = useContext(UNSAFE_FrameworkContext);
  useEffect(() => {
    if (!router || !framework || isSavingData()) return;
    let isStopped = false;
    const { manifest, routeModules } = framework;
    const preload = async () => {
      for (const address of addresses) {
        const pages = (matchRoutes(router.routes, address) ?? []).map(({ route }) => route);
        const childRoutes = pages.flatMap(({ path, children = [] }) => (path ? children : []));
        for (const { id = '' } of [...pages, ...childRoutes]) {
          const route = manifest.routes[id];
          if (isStopped) return;
          if (route && !(id in routeModules)) await prefetchRouteFiles(route);
        }
      }
    };
    // A failed preload is ignored. Opening the page reports the error.
    const cancel = runWhenIdle(() => void preload().catch(() => undefined));
    return () => {
      isStopped = true;
      cancel();
    };
  }, [router, framework, addresses]);
}
