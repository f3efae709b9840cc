import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OWNED_SCHEMAS } from '../modules/index.ts';
import { hasExcessRights, parseRole } from '../platform/database/db-grants.ts';
import { migrateDatabase, schemaFolders } from '../platform/database/migrate.ts';
import { jobTables } from '../platform/manifest.ts';
import { TABLE_PRIVILEGES, type TableGrants } from '../platform/module.ts';
import { startPostgres } from '../platform/postgres/postgres.ts';
import { createTestDatabase, queryValue, type TestDatabase } from './database.ts';

let database: TestDatabase;
let product: pg.Client;
let owner: pg.Client;

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

beforeAll(async () => {
  database = await createTestDatabase();
  product = await connected(database.url);
  owner = await connected(database.ownerUrl);
});
afterAll(async () => {
  await product.end();
  await owner.end();
  await database.drop();
});

const isOwnSql = (catalog: string, id: string, schema: string) =>
  `${schema} in ('public'::regnamespace, 'graphile_worker'::regnamespace)
    and not exists (select from pg_depend d where d.classid = '${catalog}'::regclass and d.objid = ${id} and d.deptype = 'e')`;

const LIST_RIGHTS = `
  select c.relname as name, coalesce((select array_agg(p order by p) from unnest('{select,insert,update,delete,truncate,references,trigger,maintain}'::text[]) p
      where has_table_privilege($1, c.oid, p)), '{}') as whole,
    coalesce((select array_agg(p || ' ' || a.attname order by p || ' ' || a.attname) from pg_attribute a, unnest('{select,insert,update,references}'::text[]) p
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        and has_column_privilege($1, c.oid, a.attnum, p) and not has_table_privilege($1, c.oid, p)), '{}') as columns
  from pg_class c where c.relkind in ('r', 'p', 'v', 'm', 'f') and ${isOwnSql('pg_class', 'c.oid', 'c.relnamespace')} order by c.relname collate "C"`;
const SEQUENCES = `select c.relname from pg_class c where c.relkind = 'S' and ${isOwnSql('pg_class', 'c.oid', 'c.relnamespace')}
  and (has_sequence_privilege($1, c.oid, 'usage') or has_sequence_privilege($1, c.oid, 'select') or has_sequence_privilege($1, c.oid, 'update'))`;
const FUNCTIONS = `select p.proname as name, has_function_privilege($1, p.oid, 'execute') as "canCall", p.prorettype = 'trigger'::regtype as "isTrigger",
    p.prosecdef as "isDefiner"
  from pg_proc p where ${isOwnSql('pg_proc', 'p.oid', 'p.pronamespace')} order by p.proname collate "C"`;
const PUBLIC = `
  select c.relname as name from pg_class c, aclexplode(c.relacl) g where g.grantee = 0 and ${isOwnSql('pg_class', 'c.oid', 'c.relnamespace')}
  union all select p.proname from pg_proc p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) g
    where g.grantee = 0 and ${isOwnSql('pg_proc', 'p.oid', 'p.pronamespace')}
  union all select n.nspname from pg_namespace n, aclexplode(coalesce(n.nspacl, acldefault('n', n.nspowner))) g
    where g.grantee = 0 and n.nspname in ('public', 'graphile_worker')
  union all select d.datname from pg_database d, aclexplode(coalesce(d.datacl, acldefault('d', d.datdba))) g
    where g.grantee = 0 and d.datname = current_database()`;

type TableRights = { name: string; whole: string[]; columns: string[] };

const READ_ONLY: TableGrants = { grants: 'read' };
const DECLARED: Readonly<Record<string, TableGrants>> = Object.assign(
  { schema_migrations: READ_ONLY, schema_functions: READ_ONLY },
  ...[...OWNED_SCHEMAS, jobTables].map(({ tables }) => tables),
);
const DECLARED_FUNCTIONS = new Set([...OWNED_SCHEMAS, jobTables].flatMap(({ functions }) => Object.keys(functions)));

async function listRights(role: string): Promise<TableRights[]> {
  return (await owner.query<TableRights>(LIST_RIGHTS, [role])).rows;
}

function listDeclaredRights(): TableRights[] {
  return Object.entries(DECLARED)
    .map(([name, { grants, updates = [] }]) => ({
      name,
      whole: [...TABLE_PRIVILEGES[grants]].sort(),
      columns: updates.map((column) => `update ${column}`).sort(),
    }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

const applyGrants = () =>
  migrateDatabase(database.ownerUrl, { product: { url: database.url, schemas: OWNED_SCHEMAS } });

async function getRefusal(sql: string): Promise<string> {
  return product.query(sql).then(
    () => 'done',
    (error: unknown) => (error instanceof pg.DatabaseError ? (error.code ?? '') : String(error)),
  );
}

describe('the role of the running app', () => {
  it('has exactly the declared rights on each table and column', async () => {
    const rights = await listRights(parseRole(database.url));
    expect(rights.length).toBeGreaterThan(60);
    expect(rights).toEqual(listDeclaredRights());
    expect((await owner.query(SEQUENCES, [parseRole(database.url)])).rows).toEqual([]);
  });

  it('has no right that a trigger refuses anyway', async () => {
    const { rows } = await owner.query<{ name: string; privilege: string }>(
      `select c.relname as name, p.privilege from pg_trigger t join pg_class c on c.oid = t.tgrelid,
         (values ('update', 16), ('delete', 8), ('truncate', 32)) as p (privilege, bit)
       where t.tgfoid::regproc::text like '%\\_append_only' and t.tgfoid <> 'security_log_append_only'::regproc and t.tgtype & p.bit > 0 and t.tgattr = '' order by 1, 2`,
    );
    expect(rows.length).toBeGreaterThan(20);
    const granted = await listRights(parseRole(database.url));
    for (const { name, privilege } of rows) {
      const { whole, columns } = granted.find((one) => one.name === name) ?? { whole: [], columns: [] };
      expect([name, ...whole, ...columns].filter((right) => right.startsWith(privilege))).toEqual([]);
    }
  });

  it('may call the declared functions only, no trigger functions, and none runs with its owner’s rights', async () => {
    const { rows } = await owner.query<{ name: string; canCall: boolean; isTrigger: boolean; isDefiner: boolean }>(
      FUNCTIONS,
      [parseRole(database.url)],
    );
    expect(rows.length).toBeGreaterThan(40);
    const called = rows.filter(({ canCall }) => canCall).map(({ name }) => name);
    const isCalled = ({ name, isTrigger }: (typeof rows)[0]) => DECLARED_FUNCTIONS.has(name) && !isTrigger;
    expect(called).toEqual(rows.filter(isCalled).map(({ name }) => name));
    expect(rows.filter(({ isDefiner }) => isDefiner)).toEqual([]);
  });

  it('owns nothing and is in no other role, and PUBLIC has no rights', async () => {
    const role = [parseRole(database.url)];
    const { rows } = await owner.query(
      `select rolsuper or rolcreatedb or rolcreaterole or rolreplication or rolbypassrls as "hasExcessRights",
         (select count(*) from pg_shdepend s where s.refclassid = 'pg_authid'::regclass and s.refobjid = r.oid and s.deptype = 'o')::int as owns,
         (select count(*) from pg_auth_members m where m.member = r.oid)::int as roles
       from pg_roles r where rolname = $1`,
      role,
    );
    expect(rows).toEqual([{ hasExcessRights: false, owns: 0, roles: 0 }]);
    expect((await owner.query(PUBLIC)).rows).toEqual([]);
  });

  it.each([
    'delete from ledger_transactions',
    'update ledger_lines set amount_cents = 1',
    'update ledger_transactions set kind = kind',
    "update ledger_accounts set code = 'x'",
    'update sales set gross_cents = 1',
    'update deposits set amount_cents = 1',
    'update processor_webhooks set body_hash = null',
    'update processor_webhook_decisions set reason = null',
    'update transparency_leaves set hash = hash',
    'delete from transparency_leaves',
    'truncate transparency_checkpoints',
    "insert into ledger_kinds (kind, title, statement_type, debits, credits) values ('x', 'x', 'other', '{%}', '{%}')",
    'update ledger_kinds set can_debit_frozen = true',
    'select lo_create(0)',
    "select lo_from_bytea(0, 'x')",
    'truncate outbox',
    'truncate ledger_lines cascade',
    'do $$ begin lock table ledger_lines in access exclusive mode; end $$',
    'alter table ledger_lines disable trigger all',
    'alter table outbox add column more int',
    'drop trigger ledger_lines_immutable on ledger_lines',
    'drop table outbox',
    'create trigger mine before insert on outbox for each row execute function chat_increment_revision()',
    'create index on outbox (type)',
    'create table mine (id int)',
    'create temporary table mine (id int)',
    'create schema mine',
    'create function mine() returns int language sql return 1',
    'create function pg_temp.mine() returns int language sql return 1',
    "create or replace function ledger_append_only() returns trigger language plpgsql as 'begin return new; end'",
    'drop function ledger_write',
    'create extension pgcrypto',
    'create role mine',
    'set session_replication_role = replica',
    'set role postgres',
    'set session authorization postgres',
    "copy settings to '/tmp/mine'",
    "copy settings from program 'id'",
    "insert into schema_migrations (name, sha256) values ('x', 'x')",
    'update graphile_worker.migrations set id = id',
  ])('may not run: %s', async (sql) => {
    expect(await getRefusal(sql)).toMatch(/^(42501|0LP01)$/);
  });
});

describe('a migration at start', () => {
  it('restores the declared rights and revokes others, also when repeated', async () => {
    await owner.query(`
      create table undeclared (id int);
      grant all on undeclared, ledger_lines to stagedoor_app;
      grant update (body_hash) on processor_webhooks to stagedoor_app;
      grant select on users to public;
      grant execute on function ledger_append_only() to public;
      grant usage on sequence outbox_id_seq to stagedoor_app;
      grant create on schema public to stagedoor_app;
      grant temporary on database ${owner.database ?? ''} to public;
      revoke all on posts from stagedoor_app;
      alter table graphile_worker._private_jobs enable row level security`);
    await applyGrants();
    await applyGrants();
    const [[remaining], rights] = [
      (await owner.query(LIST_RIGHTS, ['stagedoor_app'])).rows.filter(({ name }) => name === 'undeclared'),
      await listRights('stagedoor_app'),
    ];
    expect(remaining).toEqual({ name: 'undeclared', whole: [], columns: [] });
    expect(rights.filter(({ name }) => name !== 'undeclared')).toEqual(listDeclaredRights());
    expect((await owner.query(PUBLIC)).rows).toEqual([]);
    expect((await owner.query(SEQUENCES, ['stagedoor_app'])).rows).toEqual([]);
    for (const sql of ['create table mine (id int)', 'create temporary table mine (id int)'])
      expect(await getRefusal(sql)).toBe('42501');
    await owner.query('drop table undeclared');
    expect(await getRefusal('select from graphile_worker.jobs')).toBe('done');
  });

  it('succeeds without the owner’s URL if the database is up to date, and otherwise reports what is missing', async () => {
    const alone = () => migrateDatabase(database.url, { product: { url: database.url, schemas: OWNED_SCHEMAS } });
    expect(await alone()).toEqual({ migrations: [], functions: [], hasExcessRights: false });
    await owner.query("update schema_functions set sha256 = 'of another release' where name = 'unaccent_lower'");
    await expect(alone()).rejects.toThrow(/DATABASE_OWNER_URL/);
    expect((await applyGrants()).functions).toEqual(['unaccent_lower']);
  });

  it('works with the owner as the only role, and reports it as too powerful', async () => {
    const url = database.ownerUrl;
    expect((await migrateDatabase(url, { product: { url, schemas: OWNED_SCHEMAS } })).hasExcessRights).toBe(true);
  });
});

describe('a database role', () => {
  const strength = async (url: string) =>
    (await migrateDatabase(database.ownerUrl, { product: { url, schemas: OWNED_SCHEMAS } })).hasExcessRights;

  it('is reported as too powerful if it is in another role, may create roles or owns something', async () => {
    const role = parseRole(database.url);
    expect(await strength(database.url)).toBe(false);
    for (const give of [
      `grant pg_write_all_data to ${role}`,
      `alter role ${role} createrole`,
      `alter database ${pg.escapeIdentifier(owner.database ?? '')} owner to ${role}`,
      `alter table outbox owner to ${role}`,
    ]) {
      await owner.query('begin');
      await owner.query(give);
      expect([give, await hasExcessRights(owner, role)]).toEqual([give, true]);
      await owner.query('rollback');
    }
  });

  it('is refused before any change if it belongs to another database than the owner’s', async () => {
    const other = await createTestDatabase();
    try {
      await expect(strength(other.url)).rejects.toThrow('different databases');
    } finally {
      await other.drop();
    }
  });
});

describe('an external database', () => {
  const name = `own_${process.pid}_${randomUUID().slice(0, 8)}`;
  const as = (role: string) => {
    const url = database.ownerUrl.replace(owner.database ?? '', name);
    return url.replace('//postgres@', `//${role}@`);
  };
  afterAll(async () => {
    await owner.query(`drop database if exists ${name} with (force)`);
    await owner.query(`drop role if exists ${name}_owner`);
    await owner.query(`drop role if exists ${name}_app`);
  });

  it('is migrated by an owner who is no superuser and used with the other role', async () => {
    await owner.query(`create role ${name}_owner login`);
    await owner.query(`create role ${name}_app login`);
    await owner.query(`create database ${name} owner ${name}_owner`);
    const url = as(`${name}_app`);
    const made = await migrateDatabase(as(`${name}_owner`), { product: { url, schemas: OWNED_SCHEMAS } });
    expect(made).toMatchObject({ hasExcessRights: false });
    const files = readdirSync(schemaFolders.migrations).filter((file) => file.endsWith('.sql'));
    expect(made.migrations).toEqual(files.sort());
    const one = await connected(as(`${name}_owner`));
    const { rows } = await one.query<TableRights>(LIST_RIGHTS, [`${name}_app`]);
    await one.end();
    expect(rows).toEqual(listDeclaredRights());
  });
});

describe('an embedded database', () => {
  it('of an older release gets the app’s role at its first start', async () => {
    const folder = mkdtempSync(join(fileURLToPath(new URL('../../.cache', import.meta.url)), 'rights-'));
    chmodSync(folder, 0o711);
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const start = () => startPostgres({ dataDir: folder, log, durable: false });
    try {
      const old = await start();
      await migrateDatabase(old.ownerUrl);
      await queryValue(old.ownerUrl, "insert into settings (key, value) values ('of the old', '1')");
      await queryValue(old.ownerUrl, 'drop role stagedoor_app');
      await old.stop();
      const now = await start();
      await migrateDatabase(now.ownerUrl, { product: { url: now.url, schemas: OWNED_SCHEMAS } });
      expect(await queryValue(now.url, 'select key from settings')).toBe('of the old');
      await expect(queryValue(now.url, 'drop table settings')).rejects.toThrow('must be owner');
      await now.stop();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
