/**
 * The code of a page, as the router asks for it (web/route-modules.ts puts this in place of its own way). Without a connection it is
 * waited for, and the page on the screen stays. Code that is gone while the server answers is that of an older release: then the
 * document is loaded anew, at the address that was on its way.
 */
import { whenReachable } from './lazy-part.ts';

export interface RouteParts {
  readonly id: string;
  readonly module: string;
  readonly css?: readonly string[] | undefined;
}

interface RunningRouter {
  readonly state: {
    readonly navigation: { readonly location?: { pathname: string; search: string; hash: string } | undefined };
  };
}

declare global {
  interface Window {
    /** Left there by the router. */
    __reactRouterDataRouter?: RunningRouter;
  }
}

/** Brings a stylesheet into the browser's cache. */
async function bringStyles(href: string): Promise<void> {
  const answer = await fetch(href);
  if (!answer.ok) throw new Error(`${href} answered ${answer.status}`);
  await answer.blob();
}

/** Brings a page's code and styles, for as long as it takes. */
export async function bringRoute(route: RouteParts, known: Record<string, unknown>): Promise<unknown> {
  if (route.id in known) return known[route.id];
  const [module] = await whenReachable(() =>
    Promise.all([import(/* @vite-ignore */ route.module), ...(route.css ?? []).map(bringStyles)]),
  );
  known[route.id] = module;
  return module;
}

/** Called by the router for each route of a page that it is about to show, or thinks it might be. `known` are those that are there. */
export async function loadRouteModule(route: RouteParts, known: Record<string, unknown>): Promise<unknown> {
  try {
    return await bringRoute(route, known);
  } catch {
    const next = window.__reactRouterDataRouter?.state.navigation.location;
    // Only thought of: whoever goes there is told then.
    if (next) location.assign(next.pathname + next.search + next.hash);
    return new Promise(() => undefined);
  }
}
