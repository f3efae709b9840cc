/**
 * Checks the database permissions of the running product (`rows` and `updates` of the manifests) against its code and
 * SQL. Undeclared operations and unused declarations are violations.
 */
import { type Rights, ROWS } from '../../server/kernel/room.ts';
import { withoutComments } from './source-rules.mjs';
import { bodyOf, readSchema, type Schema } from './sql.ts';
import type { House, Source } from './walls.ts';

const VERBS = ['insert', 'update', 'delete'] as const;
type Verb = (typeof VERBS)[number];

/** How each operation on a table is written in SQL or Kysely. Locking rows requires the permission to update them. */
const DONE: readonly (readonly [Verb, RegExp])[] = [
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

type Use = { readonly verb: Verb; readonly table: string; readonly source: Source };

function* usesIn(source: Source): Generator<Use> {
  for (const [verb, pattern] of DONE)
    for (const [, written, built] of source.text.matchAll(pattern))
      yield { verb, table: (written ?? built ?? '').toLowerCase(), source };
}

/**
 * Files that contain table names without reading the tables: the row types, and the privacy policy's texts about each
 * group of tables.
 */
const NAME_ALL = new Set([
  'server/kernel/tables.ts',
  'server/kernel/personal-data.ts',
  'server/features/policies/texts/stored.ts',
]);

function running(house: House, schema: Schema): Source[] {
  return [
    ...house.sources
      .filter(({ path }) => !NAME_ALL.has(path))
      .map(({ path, text }) => ({ path, text: withoutComments(text) })),
    ...[...schema.functions.values()].map((made) => ({ path: made.where, text: bodyOf(made) })),
  ];
}

const isWord = (word: string, { text }: Source) => new RegExp(`\\b${word}\\b`).test(text);

function* faultsOf(name: string, { rows, updates = [] }: Rights, uses: readonly Use[], code: readonly Source[]) {
  const may = new Set<string>([...ROWS[rows], ...(updates.length > 0 ? ['update'] : [])]);
  for (const verb of VERBS) {
    const found = uses.find((use) => use.verb === verb);
    if (found && !may.has(verb))
      yield `${found.source.path} does ${verb} on ${name}, which its manifest does not permit`;
    if (!found && may.has(verb)) yield `the product may ${verb} on ${name}, and nothing does`;
  }
  if (may.has('select') !== code.some((source) => isWord(name, source)))
    yield may.has('select')
      ? `the product may read ${name}, and nothing does`
      : `${name} is read, which its manifest does not permit`;
  const writers = uses.filter(({ verb }) => verb === 'update').map(({ source }) => source);
  for (const column of updates)
    if (!writers.some(({ text }) => new RegExp(`\\b${column}(?:\\s*=[^=]|:)`).test(text)))
      yield `the product may update ${column} of ${name}, and nothing does`;
}

export function checkRights(house: House): string[] {
  const schema = readSchema([...house.migrations, ...house.functions]);
  const code = running(house, schema);
  const uses = Map.groupBy(
    code.flatMap((source) => [...usesIn(source)]),
    ({ table }) => table,
  );
  const all = [house.kernel, ...house.rooms];
  // Generated columns and index expressions call their function with the permissions of the role that writes the row.
  const calling = [
    ...code,
    ...house.migrations.map(({ path, text }) => ({
      path,
      text: text.replace(/\$\$[\s\S]*?\$\$|\bfunction\s+\w+\(/gi, ''),
    })),
  ];
  return [
    ...all.flatMap(({ tables }) =>
      Object.entries(tables).flatMap(([name, rights]) => [...faultsOf(name, rights, uses.get(name) ?? [], code)]),
    ),
    ...all
      .flatMap(({ functions }) => Object.keys(functions))
      .filter((name) => !/\breturns\s+trigger\b/i.test(schema.functions.get(name)?.text ?? ''))
      .filter(
        (name) =>
          !calling.some(
            ({ path, text }) =>
              path !== schema.functions.get(name)?.where && new RegExp(`\\b${name}\\s*\\(`).test(text),
          ),
      )
      .map((name) => `the product may call ${name}, and nothing does`),
  ];
}
