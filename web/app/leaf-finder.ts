/** Finds the page that an address leads to, without ranking the whole route table for each request. */
import { matchRoutes, type RouteObject } from 'react-router';

function firstOf(path: string): string {
  return path.split('/', 2)[1]?.toLowerCase() ?? '';
}

/**
 * `leaves` are flat: whole paths, each with its merged handle. They are sorted by their first part once, and the router's
 * own matcher then ranks only the few that can match at all. One request asks several times for the same address.
 */
export function leafFinder(leaves: readonly RouteObject[]): (pathname: string) => RouteObject | undefined {
  const open = leaves.filter(({ path = '' }) => /^[:*]|\?$/.test(firstOf(path)));
  const byFirst = new Map<string, RouteObject[]>();
  for (const leaf of leaves) {
    if (open.includes(leaf)) continue;
    const first = firstOf(leaf.path ?? '');
    byFirst.set(first, [...(byFirst.get(first) ?? open), leaf]);
  }
  let last: { pathname: string; leaf: RouteObject | undefined } | undefined;
  return (pathname) => {
    if (last?.pathname === pathname) return last.leaf;
    const first = firstOf(pathname);
    // Which one an escaped letter leads to is left to the matcher.
    const able = first.includes('%') ? leaves : (byFirst.get(first) ?? open);
    const leaf = matchRoutes([...able], pathname)?.at(-1)?.route;
    last = { pathname, leaf };
    return leaf;
  };
}
