/**
 * The code of a page, as the router asks for it (web/route-modules.ts puts this in place of its own way). Without a connection it is
 * waited for, and the page on the screen stays. Code that is gone while the server answers is that of an older release: then the
 * document is loaded anew, at the address that was on its way.
 */
import { whenReachable } from './lazy-part.ts';
import { openDocument } from './page-exit.ts';

export interface RouteParts {
  readonly id: string;
  readonly module: string;
  /** The files that the module stands on. */
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
    /** Left there by the router. */
    __reactRouterDataRouter?: RunningRouter;
  }
}

/** Brings a file into the browser's cache. */
async function bringFile(href: string): Promise<void> {
  const answer = await fetch(href);
  if (!answer.ok) throw new Error(`${href} answered ${answer.status}`);
  await answer.blob();
}

const brought = new Set<string>();
/** Whether the page itself, or something before, has asked for a file. */
const isHere = (href: string) =>
  brought.has(href) || performance.getEntriesByName(new URL(href, location.href).href).length > 0;

/** Brings what a page is made of into the browser's cache, one file after another, and runs none of it. Waits for a connection. */
export async function bringBytes({ module, imports = [], css = [] }: RouteParts): Promise<void> {
  for (const href of [module, ...imports, ...css]) {
    if (isHere(href)) continue;
    await whenReachable(() => bringFile(href));
    brought.add(href);
  }
}

/** Brings a page's code and styles, for as long as it takes. */
async function bringRoute(route: RouteParts, known: Record<string, unknown>): Promise<unknown> {
  if (route.id in known) return known[route.id];
  const [module] = await whenReachable(() =>
    Promise.all([import(/* @vite-ignore */ route.module), ...(route.css ?? []).map(bringFile)]),
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
    if (next) openDocument(next.pathname + next.search + next.hash);
    return new Promise(() => undefined);
  }
}
