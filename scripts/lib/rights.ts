/**
 * Holds what the running product may do in the database (`rows` and `updates` of the manifests) to what code and SQL do: what
 * is done is declared, and what is declared is done, as far as either can be read.
 */
import { type Rights, ROWS } from '../../server/kernel/room.ts';
import { withoutComments } from './source-rules.mjs';
import { bodyOf, readSchema, type Schema } from './sql.ts';
import type { House, Source } from './walls.ts';

const VERBS = ['insert', 'update', 'delete'] as const;
type Verb = (typeof VERBS)[number];

/** Where a table's name stands in a statement, or in a call of Kysely's, that does it. Who locks rows needs the right to update them. */
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

/** Files that contain the names of tables and read none: the row types, and what the privacy policy says of each group of tables. */
const NAME_ALL = new Set([
  'server/kernel/tables.ts',
  'server/kernel/personal-data.ts',
  'server/features/policies/texts/stored.ts',
]);

/** Everything that runs as the product: the server's code, and the functions of the database. */
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

/** Every right that is missing or idle, a line each. */
export function checkRights(house: House): string[] {
  const schema = readSchema([...house.migrations, ...house.functions]);
  const code = running(house, schema);
  const uses = Map.groupBy(
    code.flatMap((source) => [...usesIn(source)]),
    ({ table }) => table,
  );
  const all = [house.kernel, ...house.rooms];
  // A column or an index that is made by a function calls it too, as whoever writes the row.
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
