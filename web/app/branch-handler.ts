/**
 * Handles each request with only the routes of its own branch, because React Router iterates over all routes several
 * times per request.
 */
import { createRequestHandler, type RequestHandler, type RouterContextProvider, type ServerBuild } from 'react-router';
import { deskTableUrl, isOfDesk } from './route-table.ts';

function branchOf(build: ServerBuild, leafId: string): ServerBuild {
  const ids: string[] = [];
  for (let id: string | undefined = leafId; id; id = build.routes[id]?.parentId) ids.unshift(id);
  const only = <T>(all: Readonly<Record<string, T>>) => Object.fromEntries(ids.map((id) => [id, all[id]]));
  const { assets } = build;
  const url = isOfDesk(assets.routes, leafId) ? deskTableUrl(assets.url) : assets.url;
  return { ...build, routes: only(build.routes), assets: { ...assets, url, routes: only(assets.routes) } };
}

/**
 * @param leafOf Returns the id of the leaf route for a path. Data requests and paths without a leaf use the whole route
 * table.
 */
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
