import { splitStatements } from './sql.ts';

export type SqlColumn = {
  readonly type: string;
  /** The table that a foreign key in the column's own definition references. */
  readonly references: string | undefined;
  readonly position: string;
};
type Columns = Map<string, SqlColumn>;

const IGNORED = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'/g;
const NOT_A_COLUMN = /^(?:constraint|primary|unique|check|foreign|exclude|like)\b/i;
const TABLE = String.raw`(?:if\s+(?:not\s+)?exists\s+)?(?:only\s+)?(?:public\.)?"?(\w+)"?`;
const CREATES = new RegExp(String.raw`^create\s+(?:unlogged\s+)?table\s+${TABLE}\s*\(([\s\S]*)\)[^)]*$`, 'i');
const ALTERS = new RegExp(String.raw`^alter\s+table\s+${TABLE}\s+([\s\S]*)$`, 'i');
const DROPS = /^drop\s+table\s+(?:if\s+exists\s+)?([^;]*)$/i;
const DEFINITION = /^"?(\w+)"?\s+(\w+)(?:[\s\S]*?\breferences\s+"?(\w+)"?)?/i;

function splitList(text: string): string[] {
  const items = [''];
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (character === ',' && depth === 0) items.push('');
    else items[items.length - 1] += character;
  }
  return items.map((item) => item.trim());
}

function addColumn(columns: Columns, definition: string, position: string): void {
  if (NOT_A_COLUMN.test(definition)) return;
  const [, name, type = '', references] = DEFINITION.exec(definition) ?? [];
  if (name !== undefined) columns.set(name, { type: type.toLowerCase(), references, position });
}

function renameKey<Value>(map: Map<string, Value>, from: string, to: string): void {
  const value = map.get(from);
  if (value === undefined) return;
  map.delete(from);
  map.set(to, value);
}

function alterTable(tables: Map<string, Columns>, name: string, actions: string, position: string): void {
  const columns = tables.get(name);
  if (!columns) return;
  for (const action of splitList(actions)) {
    const [, added] = /^add\s+(?:column\s+)?(?:if\s+not\s+exists\s+)?([\s\S]*)$/i.exec(action) ?? [];
    if (added) addColumn(columns, added, position);
    const [, dropped = ''] = /^drop\s+column\s+(?:if\s+exists\s+)?"?(\w+)/i.exec(action) ?? [];
    columns.delete(dropped);
    const [, from = '', to = ''] = /^rename\s+column\s+"?(\w+)"?\s+to\s+"?(\w+)/i.exec(action) ?? [];
    renameKey(columns, from, to);
    const [, newName] = /^rename\s+to\s+"?(\w+)/i.exec(action) ?? [];
    if (newName) renameKey(tables, name, newName);
  }
}

export function readColumns(
  migrations: readonly { readonly path: string; readonly text: string }[],
): ReadonlyMap<string, ReadonlyMap<string, SqlColumn>> {
  const tables = new Map<string, Columns>();
  for (const { path, text: sql } of migrations) {
    for (const { text: rawText, line } of splitStatements(sql)) {
      const text = rawText.replace(IGNORED, ' ').trim();
      const position = `${path}:${line}`;
      const [, created = '', definitions] = CREATES.exec(text) ?? [];
      if (definitions !== undefined) {
        const columns: Columns = new Map();
        for (const definition of splitList(definitions)) addColumn(columns, definition, position);
        tables.set(created, columns);
      }
      const [, altered = '', actions] = ALTERS.exec(text) ?? [];
      if (actions !== undefined) alterTable(tables, altered, actions, position);
      for (const [dropped] of (DROPS.exec(text)?.[1] ?? '').matchAll(/\w+/g)) tables.delete(dropped);
    }
  }
  return tables;
}
