/**
 * Migrations are numbered SQL files, forward only. Functions have one file each and are replaced when it changes. One
 * process at a time, all or nothing.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runMigrations as migrateJobs } from 'graphile-worker';
import pg from 'pg';
import { jobs } from './manifest.ts';
import { admitting, grantRights, isStrong, requireSameDatabase, roleOf } from './rights.ts';
import type { Holdings, Rights, Shared } from './room.ts';

interface Folders {
  migrations: string;
  functions?: string;
}

export const schemaFolders = {
  migrations: fileURLToPath(new URL('../migrations/', import.meta.url)),
  functions: fileURLToPath(new URL('../functions/', import.meta.url)),
};

const advisoryLockKey = 7_203_114_905;

interface SqlFile {
  name: string;
  path: string;
  sql: string;
  sha256: string;
}

interface Schema<Item> {
  migrations: Item[];
  functions: Item[];
}

function readSql(folder: string, path: string, name: string): SqlFile {
  const sql = readFileSync(join(folder, path), 'utf8');
  return { name, path, sql, sha256: createHash('sha256').update(sql).digest('hex') };
}

function readMigrations(folder: string): SqlFile[] {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  const numbers = new Set<string>();
  return names.map((name) => {
    const number = /^(\d{4})_[a-z0-9_-]+\.sql$/.exec(name)?.[1];
    if (number === undefined) throw new Error(`Migration ${name} must be named like 0001_name.sql.`);
    if (numbers.has(number)) throw new Error(`Two migrations have the number ${number}.`);
    numbers.add(number);
    return readSql(folder, name, name);
  });
}

export function readSchemaFiles(folders: Folders = schemaFolders): Schema<SqlFile> {
  const { functions } = folders;
  const paths = functions === undefined ? [] : readdirSync(functions, { recursive: true, encoding: 'utf8' });
  return {
    migrations: readMigrations(folders.migrations),
    functions: paths
      .filter((path) => path.endsWith('.sql'))
      .sort()
      .map((path) => readSql(functions ?? '', path, basename(path, '.sql'))),
  };
}

function describeFailure({ path, sql }: SqlFile, error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error);
  let place = '';
  if (error instanceof pg.DatabaseError && error.position !== undefined) {
    const line = Array.from(sql).slice(0, Number(error.position)).join('').split('\n').length;
    place = ` (line ${line})`;
  }
  const detail = error instanceof pg.DatabaseError && error.detail !== undefined ? ` ${error.detail}` : '';
  return new Error(`SQL file ${path}${place} failed: ${message}.${detail}`, { cause: error });
}

async function run(client: pg.Client, file: SqlFile): Promise<void> {
  try {
    await client.query(file.sql);
  } catch (error) {
    throw describeFailure(file, error);
  }
}

async function appliedIn(client: pg.Client, table: string): Promise<Map<string, string>> {
  const { rows: found } = await client.query<{ isThere: boolean }>('SELECT to_regclass($1) IS NOT NULL AS "isThere"', [
    table,
  ]);
  // Created only when missing, because a role without ownership also runs this check.
  if (!found[0]?.isThere)
    await client.query(
      `CREATE TABLE ${table} (name text PRIMARY KEY, sha256 text NOT NULL, applied_at timestamptz(3) NOT NULL DEFAULT now())`,
    );
  const { rows } = await client.query<{ name: string; sha256: string }>(`SELECT name, sha256 FROM ${table}`);
  return new Map(rows.map((row) => [row.name, row.sha256]));
}

async function applyMigrations(client: pg.Client, migrations: SqlFile[]): Promise<string[]> {
  const applied = await appliedIn(client, 'schema_migrations');
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = [...applied.keys()].filter((name) => !known.has(name)).sort();
  if (unknown.length > 0) {
    throw new Error(
      `The database was migrated by a newer release: ${unknown.join(', ')} is unknown to this one. Start the newer release (in development, or delete the data folder).`,
    );
  }
  for (const { name, sha256 } of migrations) {
    if (applied.has(name) && applied.get(name) !== sha256) {
      throw new Error(
        `Migration ${name} was changed after it was applied. Restore it and add a new migration (in development, or delete the data folder).`,
      );
    }
  }
  const missing = migrations.filter(({ name }) => !applied.has(name));
  for (const migration of missing) {
    await run(client, migration);
    await client.query('INSERT INTO schema_migrations (name, sha256) VALUES ($1, $2)', [
      migration.name,
      migration.sha256,
    ]);
  }
  return missing.map(({ name }) => name);
}

async function refuseTwice(client: pg.Client, functions: SqlFile[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT proname AS name FROM pg_proc WHERE pronamespace = current_schema()::regnamespace AND proname = ANY ($1)
      GROUP BY proname HAVING count(*) > 1`,
    [functions.map(({ name }) => name)],
  );
  if (rows.length === 0) return;
  const names = rows.map(({ name }) => name).join(', ');
  throw new Error(
    `Functions exist with both old and new parameters: ${names}. Add a migration that drops the old ones.`,
  );
}

/** Replaces changed functions. After a migration replaces all, because it may have created or dropped some. */
async function applyFunctions(client: pg.Client, functions: SqlFile[], isMigrated: boolean): Promise<string[]> {
  const applied = await appliedIn(client, 'schema_functions');
  const changed = functions.filter(({ name, sha256 }) => applied.get(name) !== sha256);
  const due = isMigrated ? functions : changed;
  // Functions refer to each other, so all are created before their bodies are checked.
  for (const checks of ['off', 'on']) {
    if (due.length > 0) await client.query(`SET LOCAL check_function_bodies = ${checks}`);
    for (const one of due) await run(client, one);
  }
  await refuseTwice(client, due);
  for (const { name, sha256 } of changed) {
    await client.query(
      `INSERT INTO schema_functions (name, sha256) VALUES ($1, $2)
        ON CONFLICT (name) DO UPDATE SET sha256 = excluded.sha256, applied_at = excluded.applied_at`,
      [name, sha256],
    );
  }
  const names = functions.map(({ name }) => name);
  if ([...applied.keys()].some((name) => !names.includes(name)))
    await client.query('DELETE FROM schema_functions WHERE name <> ALL ($1)', [names]);
  return changed.map(({ name }) => name);
}

/** Grants replace the row level security of graphile-worker's tables, which hides them from all but their owner. */
const UNSEEN = `select oid::regclass::text as name from pg_class where relnamespace = 'graphile_worker'::regnamespace and relrowsecurity`;

async function grantJobs(client: pg.Client, role: string): Promise<void> {
  await client.query('BEGIN');
  const { rows } = await client.query<{ name: string }>(UNSEEN);
  for (const { name } of rows) await client.query(`ALTER TABLE ${name} DISABLE ROW LEVEL SECURITY`);
  await grantRights(client, role, 'graphile_worker', [jobs]);
  await client.query('COMMIT');
}

function isDenied(error: unknown): error is Error {
  const cause = error instanceof Error && !(error instanceof pg.DatabaseError) ? error.cause : error;
  return cause instanceof pg.DatabaseError && cause.code === '42501';
}

export interface Product {
  url: string;
  holdings: readonly Holdings<Shared & Rights>[];
}

const BOOKS: Holdings<Shared & Rights> = {
  tables: { schema_migrations: { rows: 'read' }, schema_functions: { rows: 'read' } },
  functions: {},
};

/**
 * Applies missing migrations and changed functions to the database at `url` and returns their names. When `url` belongs
 * to another role than the product's, the product's role is granted exactly what its modules declare. `isStrong`
 * reports that this role may do more. Concurrent starts wait for each other. A failure or an aborted `signal` leaves
 * the database as it was. Throws when a newer release migrated the database, or when the two URLs lead to different
 * databases.
 */
export async function migrate(
  url: string,
  { folders, signal, product }: { folders?: Folders; signal?: AbortSignal; product?: Product } = {},
): Promise<Schema<string> & { isStrong: boolean }> {
  const files = readSchemaFiles(folders);
  const client = new pg.Client({ connectionString: url, application_name: 'stagedoor-migrate' });
  client.on('error', () => undefined);
  signal?.throwIfAborted();
  const cut = () => void client.end().catch(() => undefined);
  signal?.addEventListener('abort', cut, { once: true });
  try {
    await client.connect();
    await client.query('SELECT pg_advisory_lock($1)', [advisoryLockKey]);
    const role = product && roleOf(product.url);
    const isApart = role !== undefined && role !== roleOf(url);
    if (product && isApart) await requireSameDatabase(client, product.url);
    await client.query('BEGIN');
    const migrations = await applyMigrations(client, files.migrations);
    const functions = await applyFunctions(client, files.functions, migrations.length > 0);
    if (product && isApart) {
      await client.query(admitting(client.database ?? '', role));
      await grantRights(client, role, 'public', [...product.holdings, BOOKS]);
    }
    await client.query('COMMIT');
    // graphile-worker's schema has migrations and transactions of its own, which its worker may not run.
    if (folders === undefined) await migrateJobs({ connectionString: url });
    if (isApart) await grantJobs(client, role);
    return { migrations, functions, isStrong: role !== undefined && (await isStrong(client, role)) };
  } catch (error) {
    if (!isDenied(error)) throw error;
    const words =
      'The database needs a migration, but this role lacks the permission. Set DATABASE_OWNER_URL to its owner';
    throw new Error(`${words}: ${error.message}.`, { cause: error });
  } finally {
    signal?.removeEventListener('abort', cut);
    await client.end();
  }
}
