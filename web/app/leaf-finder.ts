/** Finds the page of an address without ranking the whole route table for each request. */
import { matchRoutes, type RouteObject } from 'react-router';

function firstOf(path: string): string {
  return path.split('/', 2)[1]?.toLowerCase() ?? '';
}

/**
 * Groups the leaves by their first path segment, so that the router's matcher ranks only the candidates. Results are
 * cached because one request looks up the same address several times.
 * @param leaves Flat routes with full paths and merged handles.
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
    // Paths with escaped characters are left to the matcher.
    const able = first.includes('%') ? leaves : (byFirst.get(first) ?? open);
    const leaf = matchRoutes([...able], pathname)?.at(-1)?.route;
    last = { pathname, leaf };
    return leaf;
  };
}
