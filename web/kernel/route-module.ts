/**
 * Loads the code of pages in place of React Router's own loader (see web/route-modules.ts). While offline it waits. If
 * loading fails while the server responds, the code belongs to an older release, so the target page is loaded as a new
 * document.
 */
import { whenReachable } from './lazy-part.ts';
import { openDocument } from './page-exit.ts';

export interface RouteParts {
  readonly id: string;
  readonly module: string;
  readonly imports?: readonly string[] | undefined;
  readonly css?: readonly string[] | undefined;
}

interface RunningRouter {
  readonly state: {
    readonly navigation: { readonly location?: { pathname: string; search: string; hash: string } | undefined };
  };
}

declare global {
  interface Window {
    __reactRouterDataRouter?: RunningRouter;
  }
}

async function bringFile(href: string): Promise<void> {
  const answer = await fetch(href);
  if (!answer.ok) throw new Error(`${href} answered ${answer.status}`);
  await answer.blob();
}

const brought = new Set<string>();
const isHere = (href: string) =>
  brought.has(href) || performance.getEntriesByName(new URL(href, location.href).href).length > 0;

/**
 * Loads the files of a page into the browser's cache, one after another, without running them. It waits for a
 * connection.
 */
export async function bringBytes({ module, imports = [], css = [] }: RouteParts): Promise<void> {
  for (const href of [module, ...imports, ...css]) {
    if (isHere(href)) continue;
    await whenReachable(() => bringFile(href));
    brought.add(href);
  }
}

async function bringRoute(route: RouteParts, known: Record<string, unknown>): Promise<unknown> {
  if (route.id in known) return known[route.id];
  const [module] = await whenReachable(() =>
    Promise.all([import(/* @vite-ignore */ route.module), ...(route.css ?? []).map(bringFile)]),
  );
  known[route.id] = module;
  return module;
}

/**
 * Called by React Router for each route of a page that it shows or may show soon.
 * @param known The loaded route modules.
 */
export async function loadRouteModule(route: RouteParts, known: Record<string, unknown>): Promise<unknown> {
  try {
    return await bringRoute(route, known);
  } catch {
    const next = window.__reactRouterDataRouter?.state.navigation.location;
    // A failed preload is ignored. Opening the page reports the error.
    if (next) openDocument(next.pathname + next.search + next.hash);
    return new Promise(() => undefined);
  }
}
