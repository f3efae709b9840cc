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
import { jobTables } from '../manifest.ts';
import type { OwnedSchema, SharedAccess, TableGrants } from '../module.ts';
import { applyGrants, hasExcessRights, parseRole, requireSameDatabase, toConnectGrant } from './db-grants.ts';

interface Folders {
  migrations: string;
  functions?: string;
}

export const schemaFolders = {
  migrations: fileURLToPath(new URL('../../migrations/', import.meta.url)),
  functions: fileURLToPath(new URL('../../functions/', import.meta.url)),
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

/** Triggers are created last, because their conditions may call any function. */
const isTriggers = (path: string) => path.endsWith('_triggers.sql');

export function readSchemaFiles(folders: Folders = schemaFolders): Schema<SqlFile> {
  const { functions } = folders;
  const paths = functions === undefined ? [] : readdirSync(functions, { recursive: true, encoding: 'utf8' });
  return {
    migrations: readMigrations(folders.migrations),
    functions: paths
      .filter((path) => path.endsWith('.sql'))
      .sort((one, other) => Number(isTriggers(one)) - Number(isTriggers(other)) || (one < other ? -1 : 1))
      .map((path) => readSql(functions ?? '', path, basename(path, '.sql'))),
  };
}

function describeFailure({ path, sql }: SqlFile, error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error);
  let position = '';
  if (error instanceof pg.DatabaseError && error.position !== undefined) {
    const line = Array.from(sql).slice(0, Number(error.position)).join('').split('\n').length;
    position = ` (line ${line})`;
  }
  const detail = error instanceof pg.DatabaseError && error.detail !== undefined ? ` ${error.detail}` : '';
  return new Error(`SQL file ${path}${position} failed: ${message}.${detail}`, { cause: error });
}

async function runFile(client: pg.Client, file: SqlFile): Promise<void> {
  try {
    await client.query(file.sql);
  } catch (error) {
    throw describeFailure(file, error);
  }
}

async function listApplied(client: pg.Client, table: string): Promise<Map<string, string>> {
  const { rows: existing } = await client.query<{ isThere: boolean }>(
    'SELECT to_regclass($1) IS NOT NULL AS "isThere"',
    [table],
  );
  // Created only when missing, because a role without ownership also runs this check.
  if (!existing[0]?.isThere)
    await client.query(
      `CREATE TABLE ${table} (name text PRIMARY KEY, sha256 text NOT NULL, applied_at timestamptz(3) NOT NULL DEFAULT now())`,
    );
  const { rows } = await client.query<{ name: string; sha256: string }>(`SELECT name, sha256 FROM ${table}`);
  return new Map(rows.map((row) => [row.name, row.sha256]));
}

async function applyMigrations(client: pg.Client, migrations: SqlFile[]): Promise<string[]> {
  const applied = await listApplied(client, 'schema_migrations');
  const known = new Set(migrations.map(({ name }) => name));
  if (applied.size > 0 && migrations[0] && !applied.has(migrations[0].name)) {
    throw new Error(
      'The database has the schema of a version before the first release, which cannot be migrated. Delete the data folder.',
    );
  }
  const unknown = [...applied.keys()].filter((name) => !known.has(name)).sort();
  if (unknown.length > 0) {
    throw new Error(
      `The database was migrated by a newer release: ${unknown.join(', ')} is unknown to this one. Start the newer release, or delete the data folder in development.`,
    );
  }
  for (const { name, sha256 } of migrations) {
    if (applied.has(name) && applied.get(name) !== sha256) {
      throw new Error(
        `Migration ${name} was changed after it was applied. Restore it and add a new migration, or delete the data folder in development.`,
      );
    }
  }
  const pending = migrations.filter(({ name }) => !applied.has(name));
  for (const migration of pending) {
    await runFile(client, migration);
    await client.query('INSERT INTO schema_migrations (name, sha256) VALUES ($1, $2)', [
      migration.name,
      migration.sha256,
    ]);
  }
  return pending.map(({ name }) => name);
}

async function requireNoOverloads(client: pg.Client, functions: SqlFile[]): Promise<void> {
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
  const applied = await listApplied(client, 'schema_functions');
  const changed = functions.filter(({ name, sha256 }) => applied.get(name) !== sha256);
  const outdated = isMigrated ? functions : changed;
  // Functions refer to each other, so all are created before their bodies are checked.
  for (const checks of ['off', 'on']) {
    if (outdated.length > 0) await client.query(`SET LOCAL check_function_bodies = ${checks}`);
    for (const one of outdated) await runFile(client, one);
  }
  await requireNoOverloads(client, outdated);
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
const LIST_ROW_SECURITY = `select oid::regclass::text as name from pg_class where relnamespace = 'graphile_worker'::regnamespace and relrowsecurity`;

async function grantJobTables(client: pg.Client, role: string): Promise<void> {
  await client.query('BEGIN');
  const { rows } = await client.query<{ name: string }>(LIST_ROW_SECURITY);
  for (const { name } of rows) await client.query(`ALTER TABLE ${name} DISABLE ROW LEVEL SECURITY`);
  await applyGrants(client, role, 'graphile_worker', [jobTables]);
  await client.query('COMMIT');
}

function isPermissionDenied(error: unknown): error is Error {
  const cause = error instanceof Error && !(error instanceof pg.DatabaseError) ? error.cause : error;
  return cause instanceof pg.DatabaseError && cause.code === '42501';
}

export interface ProductRole {
  url: string;
  schemas: readonly OwnedSchema<SharedAccess & TableGrants>[];
}

const MIGRATION_TABLES: OwnedSchema<SharedAccess & TableGrants> = {
  tables: { schema_migrations: { grants: 'read' }, schema_functions: { grants: 'read' } },
  functions: {},
};

/**
 * Applies missing migrations and changed functions to the database at `url` and returns their names. When `url` belongs
 * to another role than the product's, the product's role is granted exactly what its modules declare. `hasExcessRights`
 * reports that this role may do more. Concurrent starts wait for each other. A failure or an aborted `signal` leaves
 * the database as it was. Throws when a newer release migrated the database, or when the two URLs lead to different
 * databases.
 */
export async function migrateDatabase(
  url: string,
  { folders, signal, product }: { folders?: Folders; signal?: AbortSignal; product?: ProductRole } = {},
): Promise<Schema<string> & { hasExcessRights: boolean }> {
  const files = readSchemaFiles(folders);
  const client = new pg.Client({ connectionString: url, application_name: 'stagedoor-migrate' });
  client.on('error', () => undefined);
  signal?.throwIfAborted();
  const disconnect = () => void client.end().catch(() => undefined);
  signal?.addEventListener('abort', disconnect, { once: true });
  try {
    await client.connect();
    await client.query('SELECT pg_advisory_lock($1)', [advisoryLockKey]);
    const role = product && parseRole(product.url);
    const isSeparateRole = role !== undefined && role !== parseRole(url);
    if (product && isSeparateRole) await requireSameDatabase(client, product.url);
    await client.query('BEGIN');
    const migrations = await applyMigrations(client, files.migrations);
    const functions = await applyFunctions(client, files.functions, migrations.length > 0);
    if (product && isSeparateRole) {
      await client.query(toConnectGrant(client.database ?? '', role));
      await applyGrants(client, role, 'public', [...product.schemas, MIGRATION_TABLES]);
    }
    await client.query('COMMIT');
    // graphile-worker's schema has migrations and transactions of its own, which its worker may not run.
    if (folders === undefined) await migrateJobs({ connectionString: url });
    if (isSeparateRole) await grantJobTables(client, role);
    return { migrations, functions, hasExcessRights: role !== undefined && (await hasExcessRights(client, role)) };
  } catch (error) {
    if (!isPermissionDenied(error)) throw error;
    const message =
      'The database needs a migration, but this role lacks the permission. Set DATABASE_OWNER_URL to its owner';
    throw new Error(`${message}: ${error.message}.`, { cause: error });
  } finally {
    signal?.removeEventListener('abort', disconnect);
    await client.end();
  }
}
