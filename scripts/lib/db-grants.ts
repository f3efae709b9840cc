/**
 * Checks the database permissions of the running product (`grants` and `updates` of the manifests) against its code and
 * SQL. Undeclared operations and unused declarations are violations.
 */
import { TABLE_PRIVILEGES, type TableGrants } from '../../server/platform/module.ts';
import type { Codebase, CodeFile } from './codebase.ts';
import { stripComments } from './source-rules.mjs';
import { getFunctionBody, readSchema, type Schema } from './sql.ts';

const VERBS = ['insert', 'update', 'delete'] as const;
type Verb = (typeof VERBS)[number];

/** How each operation on a table is written in SQL or Kysely. Locking rows requires the permission to update them. */
const WRITE_PATTERNS: readonly (readonly [Verb, RegExp])[] = [
  ['insert', /\binsert\s+into\s+(\w+)|\binsertInto\(\s*'(\w+)/gi],
  [
    'update',
    /(?<!\b(?:for|key|do|or|before|after|on)\s+)\bupdate\s+(\w+)\s+(?:(?:as\s+)?\w+\s+)?set\b|\bupdateTable\(\s*'(\w+)/gi,
  ],
  ['update', /\binsert\s+into\s+(\w+)(?:(?!\binsert\b)[^;`])*?\bdo\s+update\b/gi],
  ['update', /\binsertInto\(\s*'(\w+)(?:(?!insertInto)[^;])*?\bdoUpdateSet\b/g],
  ['update', /\bfrom\s+(\w+)(?:(?!\bfrom\b)[^;`])*?\bfor\s+(?:no\s+key\s+)?update\b/gi],
  ['delete', /\bdelete\s+from\s+(\w+)|\bdeleteFrom\(\s*'(\w+)/gi],
];

type TableWrite = { readonly verb: Verb; readonly table: string; readonly source: CodeFile };

function* listWrites(source: CodeFile): Generator<TableWrite> {
  for (const [verb, pattern] of WRITE_PATTERNS)
    for (const [, written, built] of source.text.matchAll(pattern))
      yield { verb, table: (written ?? built ?? '').toLowerCase(), source };
}

/**
 * Files that contain table names without reading the tables: the row types, and the privacy policy's texts about each
 * group of tables.
 */
const FILES_NAMING_ALL = new Set([
  'server/platform/database/tables.ts',
  'server/platform/personal-data.ts',
  'server/modules/trust/legal/texts/stored-data.ts',
]);

function listRunningCode(codebase: Codebase, schema: Schema): CodeFile[] {
  return [
    ...codebase.sources
      .filter(({ path }) => !FILES_NAMING_ALL.has(path))
      .map(({ path, text }) => ({ path, text: stripComments(text) })),
    ...[...schema.functions.values()].map((sqlObject) => ({
      path: sqlObject.position,
      text: getFunctionBody(sqlObject),
    })),
  ];
}

const containsWord = (word: string, { text }: CodeFile) => new RegExp(`\\b${word}\\b`).test(text);

function* listFaults(
  name: string,
  { grants, updates = [] }: TableGrants,
  uses: readonly TableWrite[],
  code: readonly CodeFile[],
) {
  const granted = new Set<string>([...TABLE_PRIVILEGES[grants], ...(updates.length > 0 ? ['update'] : [])]);
  for (const verb of VERBS) {
    const tableUse = uses.find((use) => use.verb === verb);
    if (tableUse && !granted.has(verb))
      yield `${tableUse.source.path} does ${verb} on ${name}, which its manifest does not permit`;
    if (!tableUse && granted.has(verb)) yield `the product may ${verb} on ${name}, and nothing does`;
  }
  if (granted.has('select') !== code.some((source) => containsWord(name, source)))
    yield granted.has('select')
      ? `the product may read ${name}, and nothing does`
      : `${name} is read, which its manifest does not permit`;
  const writers = uses.filter(({ verb }) => verb === 'update').map(({ source }) => source);
  for (const column of updates)
    if (!writers.some(({ text }) => new RegExp(`\\b${column}(?:\\s*=[^=]|:)`).test(text)))
      yield `the product may update ${column} of ${name}, and nothing does`;
}

export function checkGrants(codebase: Codebase): string[] {
  const schema = readSchema([...codebase.migrations, ...codebase.functions]);
  const code = listRunningCode(codebase, schema);
  const uses = Map.groupBy(
    code.flatMap((source) => [...listWrites(source)]),
    ({ table }) => table,
  );
  const all = [codebase.platform, ...codebase.modules];
  // Generated columns and index expressions call their function with the permissions of the role that writes the row.
  const callingCode = [
    ...code,
    ...codebase.migrations.map(({ path, text }) => ({
      path,
      text: text.replace(/\$\$[\s\S]*?\$\$|\bfunction\s+\w+\(/gi, ''),
    })),
  ];
  return [
    ...all.flatMap(({ tables }) =>
      Object.entries(tables).flatMap(([name, rights]) => [...listFaults(name, rights, uses.get(name) ?? [], code)]),
    ),
    ...all
      .flatMap(({ functions }) => Object.keys(functions))
      .filter((name) => !/\breturns\s+trigger\b/i.test(schema.functions.get(name)?.text ?? ''))
      .filter(
        (name) =>
          !callingCode.some(
            ({ path, text }) =>
              path !== schema.functions.get(name)?.position && new RegExp(`\\b${name}\\s*\\(`).test(text),
          ),
      )
      .map((name) => `the product may call ${name}, and nothing does`),
  ];
}
