import pg from 'pg';
import { expect, test } from 'vitest';
import { createTestDatabase } from './database.ts';

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

test('databases that are created concurrently are migrated and independent', async () => {
  const databases = await Promise.all([createTestDatabase(), createTestDatabase(), createTestDatabase()]);
  const [first, second] = databases;
  await query(first.ownerUrl, 'CREATE TABLE only_here (id int)');
  expect(await query(second.url, "SELECT to_regclass('only_here') AS found")).toEqual([{ found: null }]);
  expect(await query(second.url, "SELECT to_regclass('schema_migrations')::text AS found")).toEqual([
    { found: 'schema_migrations' },
  ]);
  await Promise.all(databases.map((database) => database.drop()));
  await expect(query(first.url, 'SELECT 1')).rejects.toThrow(/does not exist/);
});
