import { expect, test } from 'vitest';
import { defineModule, type TableGrants } from '../../server/platform/module.ts';
import { checkGrants } from './db-grants.ts';

const READ_CODE = "const read = 'select from notes';\n";

function listProblems(grants: TableGrants, code: string, functions: Record<string, string> = {}): string[] {
  const names = Object.fromEntries(Object.keys(functions).map((name) => [name, {}]));
  return checkGrants({
    modules: [
      defineModule({
        name: 'notes',
        tables: { notes: { ...grants, personalData: { none: 'Test.' } } },
        functions: names,
      }),
    ],
    platform: { tables: {}, functions: {}, provides: [] },
    manifests: [],
    sources: [{ path: 'server/modules/content/notes/store.ts', text: code }],
    migrations: [{ path: '1.sql', text: 'create table notes (id uuid, text text);' }],
    functions: Object.entries(functions).map(([name, text]) => ({ path: `server/functions/notes/${name}.sql`, text })),
  });
}

test.each([
  ['insert', "const text = 'insert into notes (id) values ($1)';"],
  ['insert', "db.query.insertInto('notes')"],
  ['update', "const text = 'update notes set text = $1';"],
  ['update', "const text = 'update notes n set text = $1';"],
  ['update', "db.query.updateTable('notes')"],
  ['update', "const text = 'select from notes where id = $1 for no key update';"],
  ['delete', "const text = 'delete from notes';"],
  ['delete', "db.query.deleteFrom('notes')"],
])('an undeclared %s is reported for %s', (verb, code) => {
  const at = 'server/modules/content/notes/store.ts';
  expect(listProblems({ grants: 'read' }, READ_CODE + code)).toEqual([
    `${at} does ${verb} on notes, which its manifest does not permit`,
  ]);
  expect(listProblems({ grants: 'all' }, READ_CODE + code)).toHaveLength(2);
});

test('a declared operation that the code does not contain is reported', () => {
  expect(listProblems({ grants: 'read' }, READ_CODE)).toEqual([]);
  expect(listProblems({ grants: 'append' }, READ_CODE)).toEqual(['the product may insert on notes, and nothing does']);
  expect(listProblems({ grants: 'read' }, '')).toEqual(['the product may read notes, and nothing does']);
  expect(listProblems({ grants: 'none' }, READ_CODE)).toEqual(['notes is read, which its manifest does not permit']);
  const upsert = "const text = 'insert into notes (id) values ($1) on conflict (id) do update set text = $2';";
  expect(listProblems({ grants: 'edit' }, upsert)).toEqual([]);
  expect(listProblems({ grants: 'append', updates: ['text'] }, upsert)).toEqual([]);
  expect(listProblems({ grants: 'append', updates: ['text', 'colour'] }, upsert)).toEqual([
    'the product may update colour of notes, and nothing does',
  ]);
});

test('an uncalled function is reported, except for trigger functions', () => {
  const sum = 'create or replace function notes_sum() returns int language sql as $$ select 1 from notes $$;';
  const touch =
    'create or replace function notes_touch() returns trigger language plpgsql as $$ begin return new; end $$;';
  const functions = { notes_sum: sum, notes_touch: touch };
  expect(listProblems({ grants: 'read' }, READ_CODE, functions)).toEqual([
    'the product may call notes_sum, and nothing does',
  ]);
  expect(listProblems({ grants: 'read' }, "const text = 'select notes_sum()';", functions)).toEqual([]);
});
