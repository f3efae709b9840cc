import { expect, test } from 'vitest';
import { getFunctionBody, listSqlAccesses, readSchema } from './sql.ts';
import { listFileAccesses } from './sql-extract.ts';

const listNames = (sql: string, how: string) =>
  listSqlAccesses(sql)
    .flatMap((access) => (access.how === how ? [access.name] : []))
    .filter((name) => name !== '\u0001');

test('finds tables wherever a statement reads them', () => {
  for (const [sql, names] of [
    ['select 1 from posts p where p.id = $1', ['posts']],
    ['SELECT from "posts" as p, only users u, lateral (select from media) m', ['posts', 'users', 'media']],
    [
      'select (select max(x) from sales), y from posts left join users u using (id), media',
      ['sales', 'posts', 'users', 'media'],
    ],
    ['select from (posts p join media m on m.id = p.id)', ['posts', 'media']],
    ['select from unnest($1::uuid[]) as given (id), posts', ['posts']],
    ['select from public.posts', ['posts']],
    ['with x as (select from posts) select from x join media on true', ['posts', 'x', 'media']],
    ['delete from sales using posts', ['posts']],
    ['update sales s set a = 1 from posts p', ['posts']],
    ['posts p join users u on true', ['posts', 'users']],
  ] as const)
    expect(listNames(sql, 'reads'), sql).toEqual(names);
});

test('does not mistake keywords next to tables for tables', () => {
  for (const sql of [
    'select extract(epoch from posts), trim(both from posts), a is distinct from posts',
    "select 'from posts' -- from posts",
    '/* from posts */ select $$ from posts $$',
    'select a, posts where posts > 1',
    'insert into sales values (1) on conflict do update set posts = 1',
    'select from sales for no key update of posts',
  ])
    expect([...listNames(sql, 'reads'), ...listNames(sql, 'writes')], sql).not.toContain('posts');
});

test('finds tables wherever a statement writes them', () => {
  for (const sql of [
    'insert into posts (id) values (1)',
    'INSERT INTO\n  posts(id)',
    'update only posts set a = 1',
    'delete from only posts',
    'truncate table posts',
    'merge into posts using sales s on true',
    'with gone as (delete from posts returning id) select from gone',
    'if found then update posts set a = 1; end if;',
  ])
    expect(listNames(sql, 'writes'), sql).toEqual(['posts']);
});

test('finds calls, Kysely tables and templates with their lines', () => {
  expect(listNames('select * from chat_deliver_broadcasts($1), lateral unaccent_lower(x)', 'calls')).toEqual([
    'chat_deliver_broadcasts',
    'unaccent_lower',
  ]);
  const code = [
    "db.selectFrom(['posts as p', 'users']).innerJoin('media as m', 'm.id', 'p.id');",
    "tx.query.insertInto('sales').values({});",
    `const text = \`select from \${FROM}`,
    '  join follows f on true`;',
    "import { a } from './posts.ts';",
  ].join('\n');
  expect(listFileAccesses('x.ts', code).filter(({ name }) => name !== '\u0001')).toEqual([
    { how: 'reads', name: 'media', line: 1 },
    { how: 'reads', name: 'posts', line: 1 },
    { how: 'reads', name: 'users', line: 1 },
    { how: 'writes', name: 'sales', line: 2 },
    { how: 'reads', name: 'follows', line: 4 },
  ]);
});

test('applies later migrations that replace, rename and drop earlier objects', () => {
  const first = `-- A comment; with a semicolon.
create table posts (id uuid, note text default ';');
create table old (id uuid);
create function count_posts() returns int language sql as $$ select 1; select count(*) from posts $$;
create function gone() returns trigger language plpgsql as $$ begin end $$;
create trigger watch after insert on posts for each row execute function gone();
create trigger keep after insert on posts for each row when (new.id is not null) execute function gone();`;
  const second = `create or replace function count_posts() returns int language sql as $$ select count(*) from old $$;
drop trigger watch on posts; alter table old rename to newer; drop function if exists lost(int, text);`;
  const schema = readSchema([
    { path: '1.sql', text: first },
    { path: '2.sql', text: second },
  ]);
  expect([...schema.tables.keys()]).toEqual(['posts', 'newer']);
  expect(schema.tables.get('posts')?.position).toBe('1.sql:2');
  expect([...schema.functions.keys()]).toEqual(['count_posts', 'gone']);
  const counting = schema.functions.get('count_posts');
  expect(counting && listNames(getFunctionBody(counting), 'reads')).toEqual(['old']);
  expect([...schema.triggers.values()].map(({ table, runs }) => [table, runs])).toEqual([['posts', 'gone']]);
});
