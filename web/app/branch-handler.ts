/**
 * Answers each request with the routes of its own branch. The router goes over all of its routes several times a request, to
 * match them and to make their components, of which a page needs those of one branch.
 */
import { createRequestHandler, type RequestHandler, type RouterContextProvider, type ServerBuild } from 'react-router';
import { deskTableUrl, isOfDesk } from './route-table.ts';

/** A build that knows no routes but a leaf's and those above it. */
function branchOf(build: ServerBuild, leafId: string): ServerBuild {
  const ids: string[] = [];
  for (let id: string | undefined = leafId; id; id = build.routes[id]?.parentId) ids.unshift(id);
  const only = <T>(all: Readonly<Record<string, T>>) => Object.fromEntries(ids.map((id) => [id, all[id]]));
  const { assets } = build;
  const url = isOfDesk(assets.routes, leafId) ? deskTableUrl(assets.url) : assets.url;
  return { ...build, routes: only(build.routes), assets: { ...assets, url, routes: only(assets.routes) } };
}

/** `leafOf` finds a path's leaf by its id. What is no page (the app's own calls, and what no leaf matches) gets the whole table. */
export function branchHandler(
  build: ServerBuild,
  mode: string,
  leafOf: (pathname: string) => string | undefined,
): (request: Request, context: RouterContextProvider) => Promise<Response> {
  const whole = createRequestHandler(build, mode);
  const branches = new Map<string, RequestHandler>();
  return (request, context) => {
    const { pathname } = new URL(request.url);
    const leafId = pathname.endsWith('.data') ? undefined : leafOf(pathname);
    if (leafId === undefined) return whole(request, context);
    const known = branches.get(leafId) ?? createRequestHandler(branchOf(build, leafId), mode);
    branches.set(leafId, known);
    return known(request, context);
  };
}
