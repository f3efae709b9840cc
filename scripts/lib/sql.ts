/**
 * Parses SQL as far as the module checks need it: which tables a text reads and writes, which functions it calls, and
 * the schema after all migrations. It knows no table names, so prose in a string yields names that no module owns.
 */

/** Stands for a value that is inserted at run time, `${…}` of a template. */
export const HOLE = '\u0001';

export type Touch = { readonly how: 'reads' | 'writes' | 'calls'; readonly name: string; readonly at: number };

type Token = { readonly text: string; readonly at: number };

const UNREAD = String.raw`--[^\n]*|/\*[\s\S]*?\*/|'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$`;
const TOKENS = new RegExp(String.raw`${UNREAD}|"[^"]*"|[A-Za-z_][\w$]*|\d[\w.]*|[^\s\w]`, 'g');

function tokensOf(sql: string): Token[] {
  return [...sql.matchAll(TOKENS)]
    .filter(([text]) => !/^(?:--|\/\*|'|\$\w*\$)/.test(text))
    .map((match) => ({ text: match[0].replaceAll('"', '').toLowerCase(), at: match.index }));
}

/** After these words a comma is not followed by another table. */
const ENDS_LIST = new Set(
  'where group order having limit offset union intersect except set returning window for loop'.split(' '),
);
const BEGINS_QUERY = new Set(['select', 'values', 'with']);
const JOINS = new Set('join left right inner full cross'.split(' '));
/** In these functions `from` separates arguments. */
const CALLS_WITH_FROM = new Set(['extract', 'substring', 'trim', 'overlay']);
/** In `for update`, `do update` and a trigger’s `or update` no table follows. */
const NOT_UPDATING = new Set(['for', 'key', 'do', 'or', 'before', 'after', 'on']);

/** How the next name touches a table, if it is one. `call` is the function whose parentheses contain it. */
function expectedAfter(word: string, previous: string, call: string): Touch['how'] | undefined {
  if (word === 'from' && previous === 'delete') return 'writes';
  if (word === 'from') return previous === 'distinct' || CALLS_WITH_FROM.has(call) ? undefined : 'reads';
  if (word === 'join' || word === 'using') return 'reads';
  if (word === 'into') return previous === 'insert' || previous === 'merge' ? 'writes' : undefined;
  if (word === 'update') return NOT_UPDATING.has(previous) ? undefined : 'writes';
  return word === 'truncate' ? 'writes' : undefined;
}

function beginsWithTable(tokens: readonly Token[]): boolean {
  const next = tokens[1]?.text === 'as' ? 3 : 2;
  return /^[a-z_]/.test(tokens[0]?.text ?? '') && [1, next].some((index) => JOINS.has(tokens[index]?.text ?? ''));
}

export function touchesOf(sql: string): Touch[] {
  const tokens = tokensOf(sql);
  const found: Touch[] = [];
  const isFragment = beginsWithTable(tokens);
  const levels = [{ call: '', isList: isFragment }];
  let expects: Touch['how'] | undefined = isFragment ? 'reads' : undefined;
  for (const [index, { text, at }] of tokens.entries()) {
    const previous = tokens[index - 1]?.text ?? '';
    const level = levels.at(-1) ?? { call: '', isList: false };
    if (text === '(') {
      if (/^[a-z_]/.test(previous)) found.push({ how: 'calls', name: previous, at: tokens[index - 1]?.at ?? at });
      // Parentheses in place of a table may contain several joined tables.
      if (previous === 'using') expects = undefined;
      levels.push({ call: previous, isList: expects === 'reads' });
      continue;
    }
    if (text === ')') {
      if (levels.length > 1) levels.pop();
      expects = undefined;
      continue;
    }
    if (text === ';' || BEGINS_QUERY.has(text) || ENDS_LIST.has(text)) {
      level.isList = false;
      expects = undefined;
      continue;
    }
    const begun = expectedAfter(text, previous, level.call);
    if (begun !== undefined) {
      expects = begun;
      if (text === 'from' || text === 'join' || text === 'using') level.isList = true;
    } else if (text === ',' && level.isList) {
      expects = 'reads';
    } else if (expects !== undefined && !['only', 'lateral', 'table', '.'].includes(text)) {
      const isSchema = tokens[index + 1]?.text === '.';
      if (!isSchema && tokens[index + 1]?.text !== '(') found.push({ how: expects, name: text, at });
      // `insert into t (a, b)` looks like a function call but names a table.
      if (expects === 'writes' && tokens[index + 1]?.text === '(') found.push({ how: 'writes', name: text, at });
      if (!isSchema) expects = undefined;
    }
  }
  return found;
}

type Made = { readonly where: string; readonly text: string };
export type Schema = {
  readonly tables: ReadonlyMap<string, Made>;
  readonly functions: ReadonlyMap<string, Made>;
  readonly triggers: ReadonlyMap<string, Made & { readonly table: string; readonly runs: string }>;
};

export function statementsOf(sql: string): { text: string; line: number }[] {
  const found: { text: string; line: number }[] = [];
  const pieces = new RegExp(`${UNREAD}|;|[^;'$/-]+|.`, 'g');
  let text = '';
  let begin = 0;
  for (const match of sql.matchAll(pieces)) {
    if (match[0] === ';') {
      found.push({ text, line: sql.slice(0, begin).split('\n').length });
      text = '';
    } else if (text === '' && /^(?:\s+|--[^\n]*|\/\*[\s\S]*)$/.test(match[0])) {
    } else {
      if (text === '') begin = match.index + match[0].search(/\S/);
      text += text === '' ? match[0].trimStart() : match[0];
    }
  }
  return found;
}

const MAKES =
  /^create\s+(?:or\s+replace\s+)?(?:unlogged\s+|materialized\s+)?(table|view|function|procedure)\s+(?:if\s+not\s+exists\s+)?"?(\w+)/i;
const TRIGGER =
  /^create\s+(?:or\s+replace\s+)?(?:constraint\s+)?trigger\s+(\w+)[\s\S]*?\son\s+(\w+)[\s\S]*\sexecute\s+(?:function|procedure)\s+(\w+)/i;
const DROPS = /^drop\s+(?:materialized\s+)?(table|view|function|procedure|trigger)\s+(?:if\s+exists\s+)?([^;]*)/i;
const RENAMES = /^alter\s+(table|view|function|procedure)\s+(?:if\s+exists\s+)?(\w+)[^;]*\srename\s+to\s+(\w+)/i;

/** The schema after the migrations ran in this order. Later ones replace, rename and drop earlier objects. */
export function readSchema(files: readonly { readonly path: string; readonly text: string }[]): Schema {
  const tables = new Map<string, Made>();
  const functions = new Map<string, Made>();
  const triggers = new Map<string, Made & { table: string; runs: string }>();
  const kept = (kind = '') => (/^(?:table|view)$/i.test(kind) ? tables : functions);
  for (const { path, text: sql } of files) {
    for (const { text, line } of statementsOf(sql)) {
      const made: Made = { where: `${path}:${line}`, text };
      const [, kind, name = ''] = MAKES.exec(text) ?? [];
      if (kind) kept(kind).set(name, made);
      const [, trigger, table = '', runs = ''] = TRIGGER.exec(text) ?? [];
      if (trigger) triggers.set(`${trigger} ${table}`, { ...made, table, runs });
      const [, dropped, names = ''] = DROPS.exec(text) ?? [];
      if (dropped?.toLowerCase() === 'trigger') triggers.delete(names.replace(/^(\w+)\s+on\s+(\w+)[\s\S]*$/i, '$1 $2'));
      else if (dropped)
        for (const [one] of names.replace(/\([^)]*\)|\b(?:cascade|restrict)\b/gi, '').matchAll(/\w+/g))
          kept(dropped).delete(one);
      const [, renamed, from = '', to = ''] = RENAMES.exec(text) ?? [];
      const old = renamed && kept(renamed).get(from);
      if (old) {
        kept(renamed).delete(from);
        kept(renamed).set(to, old);
      }
    }
  }
  return { tables, functions, triggers };
}

export function bodyOf({ text }: Made): string {
  return /\$(\w*)\$([\s\S]*)\$\1\$/.exec(text)?.[2] ?? text;
}
