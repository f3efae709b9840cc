import { expect, test } from 'vitest';
import { readColumns } from './columns.ts';

function typesIn(table: string, ...migrations: string[]): Record<string, string> | undefined {
  const files = migrations.map((text, index) => ({ path: `${index + 1}.sql`, text }));
  const columns = readColumns(files).get(table);
  return columns && Object.fromEntries([...columns].map(([name, { type }]) => [name, type]));
}

test('reads the columns of a table, but no constraints or quoted text', () => {
  const sql = `-- Notes (of users).
create table notes (
  id uuid primary key, -- a comment, with a comma
  kind text not null check (kind in ('a,b', 'c)')),
  "user_id" uuid not null references users (id) on delete cascade,
  amount numeric(10, 2) default 0,
  primary key (id, kind),
  constraint notes_kind check (kind <> 'x, y text')
) with (fillfactor = 80);`;
  expect(typesIn('notes', sql)).toEqual({ id: 'uuid', kind: 'text', user_id: 'uuid', amount: 'numeric' });
  expect(
    readColumns([{ path: '1.sql', text: sql }])
      .get('notes')
      ?.get('user_id'),
  ).toMatchObject({
    references: 'users',
    position: '1.sql:2',
  });
});

test('applies later migrations: columns added, dropped and renamed, tables renamed and dropped', () => {
  const sql = 'create table notes (id uuid, old text, gone int);';
  expect(
    typesIn(
      'notes',
      sql,
      'alter table notes add column fan_id uuid, drop column gone;\nalter table notes rename column old to text;',
    ),
  ).toEqual({ id: 'uuid', text: 'text', fan_id: 'uuid' });
  expect(typesIn('papers', sql, 'alter table notes rename to papers;')).toHaveProperty('id');
  expect(typesIn('notes', sql, 'drop table if exists notes;')).toBeUndefined();
});
