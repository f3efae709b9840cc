/**
 * The table of pages with what each is made of, smaller: every page of somebody who is logged in carries it. The browser's copy and the
 * server's are made by the same function, because the links that both write into a page have to be the same, in the same order.
 */
type Row = { imports?: string[] | undefined; parentId?: string | undefined };
type Table = { entry: { module: string; imports: string[] }; routes: Readonly<Record<string, Row | undefined>> };

/** The table without the files that every page has anyway; the others in the order of their names, which compresses. */
export function leanTable<T extends Table>(table: T): T {
  const everywhere = new Set([table.entry.module, ...table.entry.imports]);
  const rows = Object.entries(table.routes).map(([id, row]) => {
    const imports = row?.imports?.filter((file) => !everywhere.has(file)).sort();
    return [id, imports ? { ...row, imports } : row];
  });
  return { ...table, routes: Object.fromEntries(rows) };
}

/** Stands above every page of the operator's desk. */
const DESK = 'admin-area';

export function isOfDesk(routes: Table['routes'], leaf: string): boolean {
  for (let id: string | undefined = leaf; id !== undefined; id = routes[id]?.parentId) if (id === DESK) return true;
  return false;
}

/** The table of everybody else, who never opens one of the desk's pages; from there, not-found.tsx leads to them. */
export function withoutDesk<T extends Table>(table: T): T {
  const rows = Object.entries(table.routes).filter(([id]) => !isOfDesk(table.routes, id));
  return { ...table, routes: Object.fromEntries(rows) };
}

/** Where the whole table lies, beside that of everybody else. In development there is but one. */
export const deskTableUrl = (url: string): string => url.replace(/\/manifest-([\w-]+\.js)$/, '/desk-$1');
