/** A database per test file, copied from a migrated template. Concurrent test runs share one PostgreSQL. */
import { createHash, randomUUID } from 'node:crypto';
import { appendFileSync, globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { toConnectGrant } from '../platform/database/db-grants.ts';
import { migrateDatabase, readSchemaFiles } from '../platform/database/migrate.ts';
import { type EmbeddedPostgres, PRODUCT_ROLE, startPostgres, toPostgresUrl } from '../platform/postgres/postgres.ts';
import { isAlive } from '../platform/postgres/process-lock.ts';
import { choosePostgresFolder } from './postgres-folder.ts';

/** Child processes inherit it, and mutation testing sets it to use the same PostgreSQL. */
process.env.TEST_POSTGRES_DATA ??= choosePostgresFolder();
const dataDir = process.env.TEST_POSTGRES_DATA;
const advisoryLockKey = 7_203_114_906;
const maxTemplates = 4;

export interface TestDatabase {
  url: string;
  ownerUrl: string;
  drop(): Promise<void>;
}

const server = fileURLToPath(new URL('..', import.meta.url));
const GRANT_FILES = [
  'platform/manifest.ts',
  'platform/database/db-grants.ts',
  'platform/module.ts',
  'platform/database/migrate.ts',
  'modules/modules.ts',
];

/** Runs before and after a change of migrations, functions or rights use different templates. */
function templateName(): string {
  const hash = createHash('sha256');
  const { migrations, functions } = readSchemaFiles();
  for (const { name, sha256 } of [...migrations, ...functions]) hash.update(`${name} ${sha256}\n`);
  for (const path of [...GRANT_FILES, ...globSync('modules/*/*/manifest.ts', { cwd: server }).sort()])
    hash.update(readFileSync(join(server, path)));
  return `template_${hash.digest('hex').slice(0, 16)}`;
}

export async function queryValue(url: string, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return Object.values((await client.query(sql)).rows[0] ?? {})[0];
  } finally {
    await client.end();
  }
}

async function withAdmin<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: toPostgresUrl(dataDir, 'postgres') });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function listDatabaseNames(client: pg.Client, prefix: string): Promise<string[]> {
  const { rows } = await client.query<{ datname: string }>(
    'SELECT datname FROM pg_database WHERE starts_with(datname, $1) ORDER BY oid DESC',
    [prefix],
  );
  return rows.map((row) => row.datname);
}

async function dropTemplate(client: pg.Client, name: string): Promise<void> {
  await client.query(`ALTER DATABASE "${name}" IS_TEMPLATE false`);
  await client.query(`DROP DATABASE "${name}" WITH (FORCE)`);
}

async function dropOldDatabases(client: pg.Client): Promise<void> {
  for (const name of await listDatabaseNames(client, 'test_')) {
    if (!isAlive(Number(name.split('_')[1]))) await client.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
  }
  for (const name of await listDatabaseNames(client, 'building_'))
    await client.query(`DROP DATABASE "${name}" WITH (FORCE)`);
  for (const name of (await listDatabaseNames(client, 'template_')).slice(maxTemplates))
    await dropTemplate(client, name);
}

/** The template gets its name only when it is complete. */
async function ensureTemplate(): Promise<string> {
  const name = templateName();
  await withAdmin(async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [advisoryLockKey]);
    if ((await listDatabaseNames(client, name)).length > 0) return;
    await dropOldDatabases(client);
    const building = `building_${randomUUID()}`;
    await client.query(`CREATE DATABASE "${building}"`);
    try {
      const { OWNED_SCHEMAS } = await import('../modules/index.ts');
      const url = toPostgresUrl(dataDir, building, PRODUCT_ROLE);
      await migrateDatabase(toPostgresUrl(dataDir, building), { product: { url, schemas: OWNED_SCHEMAS } });
    } catch (error) {
      await client.query(`DROP DATABASE "${building}" WITH (FORCE)`);
      throw error;
    }
    await client.query(`ALTER DATABASE "${building}" RENAME TO "${name}"`);
    await client.query(`ALTER DATABASE "${name}" IS_TEMPLATE true ALLOW_CONNECTIONS false`);
  });
  return name;
}

/** The last holder stops it. */
export function startTestPostgres(): Promise<EmbeddedPostgres> {
  const log = { info: () => undefined, warn: console.warn, error: console.error };
  return startPostgres({ dataDir, log, durable: false });
}

/** `npm test -- --profile` records each copy: test file and milliseconds. */
function recordCopy(ms: number): void {
  const file = process.env.STAGEDOOR_PROFILE;
  if (!file) return;
  const worker: unknown = Reflect.get(globalThis, '__vitest_worker__');
  const testFile = typeof worker === 'object' && worker !== null ? String(Reflect.get(worker, 'filepath')) : '';
  appendFileSync(file, `${JSON.stringify({ path: relative(join(server, '..'), testFile), ms })}\n`);
}

let ready: Promise<string> | undefined;

async function prepare(): Promise<string> {
  try {
    return await ensureTemplate();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'ENOENT' && code !== 'ECONNREFUSED') throw error;
    await startTestPostgres();
    return ensureTemplate();
  }
}

/** `isEmpty` makes a database without our schema, for tests of migrations. */
export async function createTestDatabase({ isEmpty = false } = {}): Promise<TestDatabase> {
  ready ??= prepare();
  const prepared = await ready;
  const template = isEmpty ? 'template0' : prepared;
  const started = performance.now();
  const name = `test_${process.pid}_${randomUUID().slice(0, 8)}`;
  await withAdmin(async (client) => {
    // Copying needs a sixth of the processor time of logging every page.
    await client.query(`CREATE DATABASE "${name}" TEMPLATE "${template}" STRATEGY FILE_COPY`);
    // A copy does not inherit the rights on the database.
    await client.query(toConnectGrant(name, PRODUCT_ROLE));
  });
  recordCopy(performance.now() - started);
  const drop = async () => {
    await withAdmin((client) => client.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`));
  };
  return { url: toPostgresUrl(dataDir, name, PRODUCT_ROLE), ownerUrl: toPostgresUrl(dataDir, name), drop };
}
