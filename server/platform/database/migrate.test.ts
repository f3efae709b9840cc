import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { migrateDatabase, readSchemaFiles } from './migrate.ts';

let database: TestDatabase;
let folder: string;
let client: pg.Client;

async function open(isEmpty: boolean): Promise<void> {
  database = await createTestDatabase({ isEmpty });
  folder = mkdtempSync(join(tmpdir(), 'migrations-'));
  mkdirSync(join(folder, 'functions/module'), { recursive: true });
  client = new pg.Client({ connectionString: database.ownerUrl });
  client.on('error', () => undefined);
  await client.connect();
}

afterEach(async () => {
  await client.end();
  rmSync(folder, { recursive: true });
  await database.drop();
});

function write(name: string, sql: string): void {
  writeFileSync(join(folder, name), sql);
}

function writeFunction(name: string, value: string): void {
  const sql = `create or replace function ${name}() returns int language sql as $$ select ${value} $$;`;
  write(`functions/module/${name}.sql`, sql);
}

const migrateFolder = () =>
  migrateDatabase(database.ownerUrl, { folders: { migrations: folder, functions: join(folder, 'functions') } });

async function exists(table: string): Promise<boolean> {
  return (await client.query('SELECT to_regclass($1) AS found', [table])).rows[0].found !== null;
}

async function callFunction(name: string): Promise<number> {
  return (await client.query(`SELECT ${name}() AS answer`)).rows[0].answer;
}

async function listFunctions(): Promise<{ name: string; oid: string; xmin: string; text: string }[]> {
  const { rows } = await client.query(`
    select p.proname as name, p.oid, p.xmin, pg_get_functiondef(p.oid) as text from pg_proc p
    where p.pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
    order by p.proname collate "C"`);
  return rows;
}

describe('migrations', () => {
  beforeEach(() => open(true));

  test('apply missing files once, in order', async () => {
    write('9001_first.sql', 'CREATE TABLE migrated_a (id int);');
    write('9002_second.sql', 'ALTER TABLE migrated_a ADD COLUMN name text; CREATE TABLE migrated_b (id int);');
    expect((await migrateFolder()).migrations).toEqual(['9001_first.sql', '9002_second.sql']);
    expect((await migrateFolder()).migrations).toEqual([]);
    write('9003_third.sql', 'DROP TABLE migrated_b;');
    expect((await migrateFolder()).migrations).toEqual(['9003_third.sql']);
    expect(await exists('migrated_b')).toBe(false);
  });

  test('apply each file once when processes start together', async () => {
    write('9001_first.sql', 'CREATE TABLE migrated_a (id int);');
    writeFunction('one', '1');
    const runs = await Promise.all([1, 2, 3].map(migrateFolder));
    expect(runs.flatMap(({ migrations }) => migrations)).toEqual(['9001_first.sql']);
    expect(runs.flatMap(({ functions }) => functions)).toEqual(['one']);
  });

  test('roll back the whole start when a file fails, and name the file and line', async () => {
    write('9001_first.sql', 'CREATE TABLE migrated_a (id int);');
    await migrateFolder();
    write('9002_second.sql', 'CREATE TABLE migrated_b (id int);');
    write('9003_broken.sql', 'CREATE TABLE migrated_c (id int);\n\nSELECT nonsense;');
    await expect(migrateFolder()).rejects.toThrow(/9003_broken\.sql \(line 3\) failed: .*nonsense/);
    expect(await exists('migrated_a')).toBe(true);
    expect(await exists('migrated_b')).toBe(false);
    expect(await exists('migrated_c')).toBe(false);
  });

  test('refuse a file that changed after it was applied', async () => {
    write('9001_first.sql', 'CREATE TABLE migrated_a (id int);');
    await migrateFolder();
    write('9001_first.sql', 'CREATE TABLE migrated_a (id bigint);');
    await expect(migrateFolder()).rejects.toThrow(/9001_first\.sql was changed/);
  });

  test('refuse two files with the same number', async () => {
    write('9001_first.sql', '');
    write('9001_other.sql', '');
    await expect(migrateFolder()).rejects.toThrow(/number 9001/);
  });

  test('refuse an older release on a newer database, and change nothing there', async () => {
    write('9001_first.sql', '');
    writeFunction('one', '1');
    await migrateFolder();
    write('9002_newer.sql', '');
    writeFunction('one', '2');
    await migrateFolder();
    rmSync(join(folder, '9002_newer.sql'));
    writeFunction('one', '1');
    await expect(migrateFolder()).rejects.toThrow(/newer release: 9002_newer\.sql/);
    expect(await callFunction('one')).toBe(2);
  });

  test('refuse a database from before the first release, and change nothing there', async () => {
    write('0001_kernel.sql', 'CREATE TABLE migrated_a (id int);');
    await migrateFolder();
    rmSync(join(folder, '0001_kernel.sql'));
    write('0001_baseline.sql', 'CREATE TABLE migrated_b (id int);');
    await expect(migrateFolder()).rejects.toThrow(/before the first release, .*Delete the data folder/);
    expect(await exists('migrated_b')).toBe(false);
  });
});

describe('functions', () => {
  beforeEach(() => open(true));

  test('are replaced once when their file changed, and others are not touched', async () => {
    writeFunction('one', '1');
    writeFunction('two', '2');
    expect(await migrateFolder()).toMatchObject({ migrations: [], functions: ['one', 'two'] });
    const before = await listFunctions();
    writeFunction('one', '10');
    const runs = await Promise.all([1, 2, 3].map(migrateFolder));
    expect(runs.flatMap(({ functions }) => functions)).toEqual(['one']);
    expect([await callFunction('one'), await callFunction('two')]).toEqual([10, 2]);
    const after = await listFunctions();
    expect(after[1]).toEqual(before[1]);
    expect(after[0]?.xmin).not.toBe(before[0]?.xmin);
    expect(await migrateFolder()).toMatchObject({ migrations: [], functions: [] });
    expect(await listFunctions()).toEqual(after);
  });

  test('are all created before the triggers, whose conditions may call any of them', async () => {
    write('9001_first.sql', 'CREATE TABLE migrated_a (id int);');
    write(
      'functions/module/a_triggers.sql',
      `create or replace trigger a_skip before insert on migrated_a
         for each row when (zero() = 0) execute function skip_row();`,
    );
    write(
      'functions/module/skip_row.sql',
      'create or replace function skip_row() returns trigger language plpgsql as $$ begin return null; end $$;',
    );
    writeFunction('zero', '0');
    expect((await migrateFolder()).functions).toEqual(['skip_row', 'zero', 'a_triggers']);
    await client.query('INSERT INTO migrated_a VALUES (1)');
    expect((await client.query('SELECT FROM migrated_a')).rowCount).toBe(0);
  });

  test('with an error refuse the start and leave the old function and no migration', async () => {
    write('9001_first.sql', '');
    writeFunction('one', '1');
    writeFunction('two', '2');
    await migrateFolder();
    write('9002_second.sql', 'CREATE TABLE migrated_a (id int);');
    writeFunction('one', '10');
    for (const broken of ['nonsense', 'missing()', '1 from migrated_b', '1 +']) {
      writeFunction('two', `\n${broken}`);
      await expect(migrateFolder()).rejects.toThrow(/module\/two\.sql(?: \(line [12]\))? failed: /);
      expect([await callFunction('one'), await callFunction('two')]).toEqual([1, 2]);
      expect(await exists('migrated_a')).toBe(false);
    }
    writeFunction('two', '20');
    expect(await migrateFolder()).toMatchObject({ migrations: ['9002_second.sql'], functions: ['one', 'two'] });
    expect([await callFunction('one'), await callFunction('two')]).toEqual([10, 20]);
  });

  test('may call each other and use what a migration of the same start creates', async () => {
    write('9001_first.sql', 'CREATE TABLE migrated_a (id int); INSERT INTO migrated_a VALUES (7);');
    writeFunction('one', 'two()');
    writeFunction('two', 'id from migrated_a');
    await migrateFolder();
    expect(await callFunction('one')).toBe(7);
  });

  test('are restored from their files after a migration changed or dropped them', async () => {
    writeFunction('one', '1');
    writeFunction('two', '2');
    await migrateFolder();
    const other = 'create or replace function one() returns int language sql as $$ select 100 $$;';
    write('9001_first.sql', `${other} drop function two; create table remaining (id int default one());`);
    expect((await migrateFolder()).functions).toEqual([]);
    expect([await callFunction('one'), await callFunction('two')]).toEqual([1, 2]);
  });

  test('with other parameters are refused until a migration drops the old ones', async () => {
    writeFunction('one', '1');
    await migrateFolder();
    const other =
      'create or replace function one(p_more int default 5) returns int language sql as $$ select p_more $$;';
    write('functions/module/one.sql', other);
    await expect(migrateFolder()).rejects.toThrow(/both old and new parameters: one\./);
    expect(await callFunction('one')).toBe(1);
    write('9001_first.sql', 'drop function one();');
    await migrateFolder();
    expect(await callFunction('one')).toBe(5);
  });

  test('are created again when a removed file comes back', async () => {
    writeFunction('one', '1');
    await migrateFolder();
    rmSync(join(folder, 'functions/module/one.sql'));
    write('9001_first.sql', 'drop function one;');
    await migrateFolder();
    writeFunction('one', '1');
    expect((await migrateFolder()).functions).toEqual(['one']);
    expect(await callFunction('one')).toBe(1);
  });
});

describe('the schema of the product', () => {
  beforeEach(() => open(false));

  test('has exactly the functions that have a file, one each', async () => {
    const names = readSchemaFiles().functions.map(({ name }) => name);
    expect((await listFunctions()).map(({ name }) => name)).toEqual(
      names.filter((name) => !name.endsWith('_triggers')).sort(),
    );
  });

  test('is the same after all functions are created again, and another start touches nothing', async () => {
    const before = await listFunctions();
    expect(await migrateDatabase(database.ownerUrl)).toMatchObject({ migrations: [], functions: [] });
    expect(await listFunctions()).toEqual(before);
    await client.query('delete from schema_functions');
    const { functions } = await migrateDatabase(database.ownerUrl);
    expect(functions.filter((name) => !name.endsWith('_triggers')).toSorted()).toEqual(before.map(({ name }) => name));
    const after = await listFunctions();
    const withoutXmin = ({ xmin, ...rest }: (typeof before)[number]) => rest;
    expect(after.map(withoutXmin)).toEqual(before.map(withoutXmin));
    expect(after.filter(({ xmin }, index) => xmin === before[index]?.xmin)).toEqual([]);
  });
});
