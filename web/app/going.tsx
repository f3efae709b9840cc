/**
 * Between a tap and its page: where it leads is known at once, its code and data come later. The navigation and the title follow the
 * tap, a skeleton stands where the page will; and the pages one tap away are brought while there is nothing else to do.
 */
import { type ReactNode, useContext, useEffect, useState } from 'react';
import { matchRoutes, UNSAFE_DataRouterContext, UNSAFE_FrameworkContext, useLocation, useMatches } from 'react-router';
import { whenIdle } from '../kernel/idle.ts';
import { mergeHandles, type PageHandle } from '../kernel/page.ts';
import { bringBytes } from '../kernel/route-module.ts';
import { useThere } from '../kernel/there.ts';
import { SkeletonRows } from '../ui/states.tsx';

/** What comes sooner than this is no wait. */
const PATIENCE_MS = 80;

export interface Place {
  readonly pathname: string;
  readonly search: string;
  /** Of the page on the screen. */
  readonly handle: PageHandle;
  /** Of another page that is on its way, as far as it is known. */
  readonly coming: PageHandle | undefined;
}

type Step = { id: string; pathname: string };

/** Where one is, or is about to be. */
export function usePlace(): Place {
  const { pathname, search } = useThere();
  const { pathname: here } = useLocation();
  const present: readonly (Step & { handle: unknown })[] = useMatches();
  const router = useContext(UNSAFE_DataRouterContext)?.router;
  const handle = mergeHandles(present);
  const ahead = (pathname !== here && router && matchRoutes(router.routes, pathname)) || [];
  // What stands around pages has no address of its own.
  const pages = ahead.filter(({ route }) => route.path || route.index);
  const isSame = ({ route, pathname: at }: (typeof pages)[number]) =>
    present.some((step) => step.id === route.id && step.pathname === at);
  if (pages.length === 0 || pages.some(isSame)) return { pathname, search, handle, coming: undefined };
  return { pathname, search, handle, coming: mergeHandles(ahead.map(({ route }) => ({ handle: route.handle }))) };
}

/** True once `isWaiting` has been for longer than a moment. */
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

/** In place of a page on its way. */
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

/** Brings the code of pages into the browser's cache, with what opens inside them. They open without a connection then, too. */
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
    // What is gone is found out by whoever goes there.
    const cancel = whenIdle(() => void bring().catch(() => undefined));
    return () => {
      isGone = true;
      cancel();
    };
  }, [router, framework, addresses]);
}
