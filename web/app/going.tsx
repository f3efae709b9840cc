/**
 * Navigation and title follow a tap at once, a skeleton appears after a short delay, and the code of nearby pages is
 * preloaded when idle.
 */
import { type ReactNode, useContext, useEffect, useState } from 'react';
import { matchRoutes, UNSAFE_DataRouterContext, UNSAFE_FrameworkContext, useLocation, useMatches } from 'react-router';
import { whenIdle } from '../kernel/idle.ts';
import { mergeHandles, type PageHandle } from '../kernel/page.ts';
import { bringBytes } from '../kernel/route-module.ts';
import { useThere } from '../kernel/there.ts';
import { SkeletonRows } from '../ui/states.tsx';

const PATIENCE_MS = 80;

export interface Place {
  readonly pathname: string;
  readonly search: string;
  readonly handle: PageHandle;
  readonly coming: PageHandle | undefined;
}

type Step = { id: string; pathname: string };

export function usePlace(): Place {
  const { pathname, search } = useThere();
  const { pathname: here } = useLocation();
  const present: readonly (Step & { handle: unknown })[] = useMatches();
  const router = useContext(UNSAFE_DataRouterContext)?.router;
  const handle = mergeHandles(present);
  const ahead = (pathname !== here && router && matchRoutes(router.routes, pathname)) || [];
  // Layout routes have no address of their own.
  const pages = ahead.filter(({ route }) => route.path || route.index);
  const isSame = ({ route, pathname: at }: (typeof pages)[number]) =>
    present.some((step) => step.id === route.id && step.pathname === at);
  if (pages.length === 0 || pages.some(isSame)) return { pathname, search, handle, coming: undefined };
  return { pathname, search, handle, coming: mergeHandles(ahead.map(({ route }) => ({ handle: route.handle }))) };
}

export function useLong(isWaiting: boolean): boolean {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => setLong(true), PATIENCE_MS);
    return () => {
      clearTimeout(timer);
      setLong(false);
    };
  }, [isWaiting]);
  return isWaiting && isLong;
}

export function Coming({ title }: { title: string | undefined }): ReactNode {
  return (
    <div className="pt-7 lg:pt-10" data-coming="">
      {title && <h1 className="display d2 mb-3">{title}</h1>}
      <SkeletonRows count={6} label={title ? `Opening ${title}` : 'Opening'} />
    </div>
  );
}

function savesData(): boolean {
  const connection: unknown = 'connection' in navigator ? navigator.connection : undefined;
  return (
    typeof connection === 'object' && connection !== null && 'saveData' in connection && connection.saveData === true
  );
}

export function useNear(addresses: readonly string[]): void {
  const router = useContext(UNSAFE_DataRouterContext)?.router;
  const framework = useContext(UNSAFE_FrameworkContext);
  useEffect(() => {
    if (!router || !framework || savesData()) return;
    let isGone = false;
    const { manifest, routeModules } = framework;
    const bring = async () => {
      for (const address of addresses) {
        const pages = (matchRoutes(router.routes, address) ?? []).map(({ route }) => route);
        const inside = pages.flatMap(({ path, children = [] }) => (path ? children : []));
        for (const { id = '' } of [...pages, ...inside]) {
          const route = manifest.routes[id];
          if (isGone) return;
          if (route && !(id in routeModules)) await bringBytes(route);
        }
      }
    };
    // A failed preload is ignored. Opening the page reports the error.
    const cancel = whenIdle(() => void bring().catch(() => undefined));
    return () => {
      isGone = true;
      cancel();
    };
  }, [router, framework, addresses]);
}
