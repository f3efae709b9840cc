/**
 * Handles each request with only the routes of its own branch, because React Router iterates over all routes several
 * times per request.
 */
import { createRequestHandler, type RequestHandler, type RouterContextProvider, type ServerBuild } from 'react-router';
import { isAdminRoute, toAdminTableUrl } from './route-table.ts';

function toBranch(build: ServerBuild, leafId: string): ServerBuild {
  const ids: string[] = [];
  for (let id: string | undefined = leafId; id; id = build.routes[id]?.parentId) ids.unshift(id);
  const pickBranch = <T>(all: Readonly<Record<string, T>>) => Object.fromEntries(ids.map((id) => [id, all[id]]));
  const { assets } = build;
  const url = isAdminRoute(assets.routes, leafId) ? toAdminTableUrl(assets.url) : assets.url;
  return { ...build, routes: pickBranch(build.routes), assets: { ...assets, url, routes: pickBranch(assets.routes) } };
}

/**
 * @param findLeaf Returns the id of the leaf route for a path. Data requests and paths without a leaf use the whole route
 * table.
 */
export function createBranchHandler(
  build: ServerBuild,
  mode: string,
  findLeaf: (pathname: string) => string | undefined,
): (request: Request, context: RouterContextProvider) => Promise<Response> {
  const handleWhole = createRequestHandler(build, mode);
  const branches = new Map<string, RequestHandler>();
  return (request, context) => {
    const { pathname } = new URL(request.url);
    const leafId = pathname.endsWith('.data') ? undefined : findLeaf(pathname);
    if (leafId === undefined) return handleWhole(request, context);
    const handle = branches.get(leafId) ?? createRequestHandler(toBranch(build, leafId), mode);
    branches.set(leafId, handle);
    return handle(request, context);
  };
}
