/**
 * Parses SQL as far as the module checks need it: which tables a text reads and writes, which functions it calls, and
 * the schema after all migrations. It knows no table names, so prose in a string yields names that no module owns.
 */

/** Stands for a value that is inserted at run time, `${…}` of a template. */
export const SQL_PLACEHOLDER = '\u0001';

export type SqlAccess = { readonly how: 'reads' | 'writes' | 'calls'; readonly name: string; readonly at: number };

type Token = { readonly text: string; readonly at: number };

const IGNORED_SQL = String.raw`--[^\n]*|/\*[\s\S]*?\*/|'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$`;
const TOKENS = new RegExp(String.raw`${IGNORED_SQL}|"[^"]*"|[A-Za-z_][\w$]*|\d[\w.]*|[^\s\w]`, 'g');

function tokenize(sql: string): Token[] {
  return [...sql.matchAll(TOKENS)]
    .filter(([text]) => !/^(?:--|\/\*|'|\$\w*\$)/.test(text))
    .map((match) => ({ text: match[0].replaceAll('"', '').toLowerCase(), at: match.index }));
}

/** After these keywords a comma is not followed by another table. */
const ENDS_LIST = new Set(
  'where group order having limit offset union intersect except set returning window for loop'.split(' '),
);
const QUERY_STARTS = new Set(['select', 'values', 'with']);
const JOINS = new Set('join left right inner full cross'.split(' '));
/** In these functions `from` separates arguments. */
const CALLS_WITH_FROM = new Set(['extract', 'substring', 'trim', 'overlay']);
/** In `for update`, `do update` and a trigger’s `or update` no table follows. */
const NOT_UPDATING = new Set(['for', 'key', 'do', 'or', 'before', 'after', 'on']);

/** How the next name touches a table, if it is one. `call` is the function whose parentheses contain it. */
function getExpectedAccess(word: string, previous: string, call: string): SqlAccess['how'] | undefined {
  if (word === 'from' && previous === 'delete') return 'writes';
  if (word === 'from') return previous === 'distinct' || CALLS_WITH_FROM.has(call) ? undefined : 'reads';
  if (word === 'join' || word === 'using') return 'reads';
  if (word === 'into') return previous === 'insert' || previous === 'merge' ? 'writes' : undefined;
  if (word === 'update') return NOT_UPDATING.has(previous) ? undefined : 'writes';
  return word === 'truncate' ? 'writes' : undefined;
}

function startsWithTable(tokens: readonly Token[]): boolean {
  const next = tokens[1]?.text === 'as' ? 3 : 2;
  return /^[a-z_]/.test(tokens[0]?.text ?? '') && [1, next].some((index) => JOINS.has(tokens[index]?.text ?? ''));
}

export function listSqlAccesses(sql: string): SqlAccess[] {
  const tokens = tokenize(sql);
  const accesses: SqlAccess[] = [];
  const isFragment = startsWithTable(tokens);
  const levels = [{ call: '', isList: isFragment }];
  let expected: SqlAccess['how'] | undefined = isFragment ? 'reads' : undefined;
  for (const [index, { text, at }] of tokens.entries()) {
    const previous = tokens[index - 1]?.text ?? '';
    const level = levels.at(-1) ?? { call: '', isList: false };
    if (text === '(') {
      if (/^[a-z_]/.test(previous)) accesses.push({ how: 'calls', name: previous, at: tokens[index - 1]?.at ?? at });
      // Parentheses instead of a table may contain several joined tables.
      if (previous === 'using') expected = undefined;
      levels.push({ call: previous, isList: expected === 'reads' });
      continue;
    }
    if (text === ')') {
      if (levels.length > 1) levels.pop();
      expected = undefined;
      continue;
    }
    if (text === ';' || QUERY_STARTS.has(text) || ENDS_LIST.has(text)) {
      level.isList = false;
      expected = undefined;
      continue;
    }
    const next = getExpectedAccess(text, previous, level.call);
    if (next !== undefined) {
      expected = next;
      if (text === 'from' || text === 'join' || text === 'using') level.isList = true;
    } else if (text === ',' && level.isList) {
      expected = 'reads';
    } else if (expected !== undefined && !['only', 'lateral', 'table', '.'].includes(text)) {
      const isSchema = tokens[index + 1]?.text === '.';
      if (!isSchema && tokens[index + 1]?.text !== '(') accesses.push({ how: expected, name: text, at });
      // `insert into t (a, b)` looks like a function call but names a table.
      if (expected === 'writes' && tokens[index + 1]?.text === '(') accesses.push({ how: 'writes', name: text, at });
      if (!isSchema) expected = undefined;
    }
  }
  return accesses;
}

type SqlObject = { readonly position: string; readonly text: string };
export type Schema = {
  readonly tables: ReadonlyMap<string, SqlObject>;
  readonly functions: ReadonlyMap<string, SqlObject>;
  readonly triggers: ReadonlyMap<string, SqlObject & { readonly table: string; readonly runs: string }>;
};

export function splitStatements(sql: string): { text: string; line: number }[] {
  const statements: { text: string; line: number }[] = [];
  const pieces = new RegExp(`${IGNORED_SQL}|;|[^;'$/-]+|.`, 'g');
  let text = '';
  let start = 0;
  for (const match of sql.matchAll(pieces)) {
    if (match[0] === ';') {
      statements.push({ text, line: sql.slice(0, start).split('\n').length });
      text = '';
    } else if (text === '' && /^(?:\s+|--[^\n]*|\/\*[\s\S]*)$/.test(match[0])) {
    } else {
      if (text === '') start = match.index + match[0].search(/\S/);
      text += text === '' ? match[0].trimStart() : match[0];
    }
  }
  return statements;
}

const CREATES =
  /^create\s+(?:or\s+replace\s+)?(?:unlogged\s+|materialized\s+)?(table|view|function|procedure)\s+(?:if\s+not\s+exists\s+)?"?(\w+)/i;
const TRIGGER =
  /^create\s+(?:or\s+replace\s+)?(?:constraint\s+)?trigger\s+(\w+)[\s\S]*?\son\s+(\w+)[\s\S]*\sexecute\s+(?:function|procedure)\s+(\w+)/i;
const DROPS = /^drop\s+(?:materialized\s+)?(table|view|function|procedure|trigger)\s+(?:if\s+exists\s+)?([^;]*)/i;
const RENAMES = /^alter\s+(table|view|function|procedure)\s+(?:if\s+exists\s+)?(\w+)[^;]*\srename\s+to\s+(\w+)/i;

/** The schema after the migrations ran in this order. Later ones replace, rename and drop earlier objects. */
export function readSchema(files: readonly { readonly path: string; readonly text: string }[]): Schema {
  const tables = new Map<string, SqlObject>();
  const functions = new Map<string, SqlObject>();
  const triggers = new Map<string, SqlObject & { table: string; runs: string }>();
  const selectMap = (kind = '') => (/^(?:table|view)$/i.test(kind) ? tables : functions);
  for (const { path, text: sql } of files) {
    for (const { text, line } of splitStatements(sql)) {
      const sqlObject: SqlObject = { position: `${path}:${line}`, text };
      const [, kind, name = ''] = CREATES.exec(text) ?? [];
      if (kind) selectMap(kind).set(name, sqlObject);
      const [, trigger, table = '', runs = ''] = TRIGGER.exec(text) ?? [];
      if (trigger) triggers.set(`${trigger} ${table}`, { ...sqlObject, table, runs });
      const [, dropped, names = ''] = DROPS.exec(text) ?? [];
      if (dropped?.toLowerCase() === 'trigger') triggers.delete(names.replace(/^(\w+)\s+on\s+(\w+)[\s\S]*$/i, '$1 $2'));
      else if (dropped)
        for (const [one] of names.replace(/\([^)]*\)|\b(?:cascade|restrict)\b/gi, '').matchAll(/\w+/g))
          selectMap(dropped).delete(one);
      const [, renamed, from = '', to = ''] = RENAMES.exec(text) ?? [];
      const old = renamed && selectMap(renamed).get(from);
      if (old) {
        selectMap(renamed).delete(from);
        selectMap(renamed).set(to, old);
      }
    }
  }
  return { tables, functions, triggers };
}

export function getFunctionBody({ text }: SqlObject): string {
  return /\$(\w*)\$([\s\S]*)\$\1\$/.exec(text)?.[2] ?? text;
}
