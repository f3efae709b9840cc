/** Finds the page of an address without ranking the whole route table for each request. */
import { matchRoutes, type RouteObject } from 'react-router';

/** One request looks up its address several times, and requests overlap. */
const MAX_MATCHED = 100;

function getFirstSegment(path: string): string {
  return path.split('/', 2)[1]?.toLowerCase() ?? '';
}

/**
 * Groups the leaves by their first path segment, so that the router's matcher ranks only the candidates.
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
  const matched = new Map<string, RouteObject | undefined>();
  return (pathname) => {
    if (matched.has(pathname)) return matched.get(pathname);
    const segment = getFirstSegment(pathname);
    // Paths with escaped characters are left to the matcher.
    const candidates = segment.includes('%') ? leaves : (leavesBySegment.get(segment) ?? wildcardLeaves);
    const leaf = matchRoutes([...candidates], pathname)?.at(-1)?.route;
    if (matched.size >= MAX_MATCHED) matched.clear();
    matched.set(pathname, leaf);
    return leaf;
  };
}
