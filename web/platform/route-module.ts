/**
 * Loads the code of pages instead of React Router's own loader (see web/vite/lazy-routes.ts). While offline it waits. If
 * loading fails while the server responds, the code belongs to an older release, so the target page is loaded as a new
 * document.
 */
import { loadWhenReachable } from './lazy-part.ts';
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

async function prefetchFile(href: string): Promise<void> {
  const response = await fetch(href);
  if (!response.ok) throw new Error(`${href} answered ${response.status}`);
  await response.blob();
}

const loadedHrefs = new Set<string>();
const isLoaded = (href: string) =>
  loadedHrefs.has(href) || performance.getEntriesByName(new URL(href, location.href).href).length > 0;

/**
 * Loads the files of a page into the browser's cache, one after another, without running them. It waits for a
 * connection.
 */
export async function prefetchRouteFiles({ module, imports = [], css = [] }: RouteParts): Promise<void> {
  for (const href of [module, ...imports, ...css]) {
    if (isLoaded(href)) continue;
    await loadWhenReachable(() => prefetchFile(href));
    loadedHrefs.add(href);
  }
}

async function importRoute(route: RouteParts, loadedModules: Record<string, unknown>): Promise<unknown> {
  if (route.id in loadedModules) return loadedModules[route.id];
  const [module] = await loadWhenReachable(() =>
    Promise.all([import(/* @vite-ignore */ route.module), ...(route.css ?? []).map(prefetchFile)]),
  );
  loadedModules[route.id] = module;
  return module;
}

/**
 * Called by React Router for each route of a page that it shows or may show soon.
 * @param loadedModules The loaded route modules.
 */
export async function loadRouteModule(route: RouteParts, loadedModules: Record<string, unknown>): Promise<unknown> {
  try {
    return await importRoute(route, loadedModules);
  } catch {
    const next = window.__reactRouterDataRouter?.state.navigation.location;
    // A failed preload is ignored. Opening the page reports the error.
    if (next) openDocument(next.pathname + next.search + next.hash);
    return new Promise(() => undefined);
  }
}
