/**
 * Reduces the route manifest of every logged-in page. Browser and server use the same function because both must write
 * the same links in the same order.
 */
type ManifestRoute = { imports?: string[] | undefined; parentId?: string | undefined };
type RouteManifest = {
  entry: { module: string; imports: string[] };
  routes: Readonly<Record<string, ManifestRoute | undefined>>;
};

export function toLeanTable<T extends RouteManifest>(table: T): T {
  const sharedFiles = new Set([table.entry.module, ...table.entry.imports]);
  const rows = Object.entries(table.routes).map(([id, row]) => {
    const imports = row?.imports?.filter((file) => !sharedFiles.has(file)).sort();
    return [id, imports ? { ...row, imports } : row];
  });
  return { ...table, routes: Object.fromEntries(rows) };
}

const ADMIN_AREA = 'admin-area';

export function isAdminRoute(routes: RouteManifest['routes'], leaf: string): boolean {
  for (let id: string | undefined = leaf; id !== undefined; id = routes[id]?.parentId)
    if (id === ADMIN_AREA) return true;
  return false;
}

export function removeAdminRoutes<T extends RouteManifest>(table: T): T {
  const rows = Object.entries(table.routes).filter(([id]) => !isAdminRoute(table.routes, id));
  return { ...table, routes: Object.fromEntries(rows) };
}

export const toAdminTableUrl = (url: string): string => url.replace(/\/manifest-([\w-]+\.js)$/, '/admin-$1');
