/**
 * Reduces the route manifest of every logged-in page. Browser and server use the same function because both must write
 * the same links in the same order.
 */
type Row = { imports?: string[] | undefined; parentId?: string | undefined };
type Table = { entry: { module: string; imports: string[] }; routes: Readonly<Record<string, Row | undefined>> };

export function leanTable<T extends Table>(table: T): T {
  const everywhere = new Set([table.entry.module, ...table.entry.imports]);
  const rows = Object.entries(table.routes).map(([id, row]) => {
    const imports = row?.imports?.filter((file) => !everywhere.has(file)).sort();
    return [id, imports ? { ...row, imports } : row];
  });
  return { ...table, routes: Object.fromEntries(rows) };
}

const DESK = 'admin-area';

export function isOfDesk(routes: Table['routes'], leaf: string): boolean {
  for (let id: string | undefined = leaf; id !== undefined; id = routes[id]?.parentId) if (id === DESK) return true;
  return false;
}

export function withoutDesk<T extends Table>(table: T): T {
  const rows = Object.entries(table.routes).filter(([id]) => !isOfDesk(table.routes, id));
  return { ...table, routes: Object.fromEntries(rows) };
}

export const deskTableUrl = (url: string): string => url.replace(/\/manifest-([\w-]+\.js)$/, '/desk-$1');
