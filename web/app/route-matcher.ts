/** Finds the page of an address without ranking the whole route table for each request. */
import { matchRoutes, type RouteObject } from 'react-router';

function getFirstSegment(path: string): string {
  return path.split('/', 2)[1]?.toLowerCase() ?? '';
}

/**
 * Groups the leaves by their first path segment, so that the router's matcher ranks only the candidates. Results are
 * cached because one request looks up the same address several times.
 * @param leaves Flat routes with full paths and merged handles.
 */
export function createRouteMatcher(leaves: readonly RouteObject[]): (pathname: string) => RouteObject | undefined {
  const wildcardLeaves = leaves.filter(({ path = '' }) => /^[:*]|\?$/.test(getFirstSegment(path)));
  const leavesBySegment = new Map<string, RouteObject[]>();
  for (const leaf of leaves) {
    if (wildcardLeaves.includes(leaf)) continue;
    const segment = getFirstSegment(leaf.path ?? '');
    leavesBySegment.set(segment, [...(leavesBySegment.get(segment) ?? wildcardLeaves), leaf]);
  }
  let last: { pathname: string; leaf: RouteObject | undefined } | undefined;
  return (pathname) => {
    if (last?.pathname === pathname) return last.leaf;
    const segment = getFirstSegment(pathname);
    // Paths with escaped characters are left to the matcher.
    const candidates = segment.includes('%') ? leaves : (leavesBySegment.get(segment) ?? wildcardLeaves);
    const leaf = matchRoutes([...candidates], pathname)?.at(-1)?.route;
    last = { pathname, leaf };
    return leaf;
  };
}
