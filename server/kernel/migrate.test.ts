import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../testing/database.ts';
import { migrate } from './migrate.ts';

let database: TestDatabase;
let folder: string;
let client: pg.Client;

beforeEach(async () => {
  database = await testDatabase();
  folder = mkdtempSync(join(tmpdir(), 'migrations-'));
  client = new pg.Client({ connectionString: database.url });
  client.on('error', () => undefined);
  await client.connect();
});

afterEach(async () => {
  await client.end();
  rmSync(folder, { recursive: true });
  await database.drop();
});

function write(name: string, sql: string): void {
  writeFileSync(join(folder, name), sql);
}

async function exists(table: string): Promise<boolean> {
  return (await client.query('SELECT to_regclass($1) AS found', [table])).rows[0].found !== null;
}

test('applies what is missing, in order and once', async () => {
  write('9001_first.sql', 'CREATE TABLE migrated_a (id int);');
  write('9002_second.sql', 'ALTER TABLE migrated_a ADD COLUMN name text; CREATE TABLE migrated_b (id int);');
  expect(await migrate(database.url, { folder })).toEqual(['9001_first.sql', '9002_second.sql']);
  expect(await migrate(database.url, { folder })).toEqual([]);
  write('9003_third.sql', 'DROP TABLE migrated_b;');
  expect(await migrate(database.url, { folder })).toEqual(['9003_third.sql']);
  expect(await exists('migrated_b')).toBe(false);
});

test('processes that start together apply each file once', async () => {
  write('9001_first.sql', 'CREATE TABLE migrated_a (id int);');
  const runs = await Promise.all([1, 2, 3].map(() => migrate(database.url, { folder })));
  expect(runs.flat()).toEqual(['9001_first.sql']);
});

test('nothing of a failed file stays, and the message names the file and line', async () => {
  write('9001_first.sql', 'CREATE TABLE migrated_a (id int);');
  write('9002_broken.sql', 'CREATE TABLE migrated_b (id int);\n\nSELECT nonsense;');
  await expect(migrate(database.url, { folder })).rejects.toThrow(/9002_broken\.sql \(line 3\) failed: .*nonsense/);
  expect(await exists('migrated_a')).toBe(true);
  expect(await exists('migrated_b')).toBe(false);
});

test('refuses a file that changed after it had been applied', async () => {
  write('9001_first.sql', 'CREATE TABLE migrated_a (id int);');
  await migrate(database.url, { folder });
  write('9001_first.sql', 'CREATE TABLE migrated_a (id bigint);');
  await expect(migrate(database.url, { folder })).rejects.toThrow(/9001_first\.sql was changed/);
});

test('refuses two files of the same number', async () => {
  write('9001_first.sql', '');
  write('9001_other.sql', '');
  await expect(migrate(database.url, { folder })).rejects.toThrow(/number 9001/);
});
