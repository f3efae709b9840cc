/**
 * Brings a database to the schema of this code: numbered SQL files, forward only, and then the functions, each a file with
 * its present body. One process at a time, all of it or nothing. A migration that has been applied is history: a changed
 * one is refused. A function whose file has changed is put in place again.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runMigrations as migrateJobs } from 'graphile-worker';
import pg from 'pg';

/** Where the files are. Functions lie in a folder for each room. */
interface Folders {
  migrations: string;
  functions?: string;
}

export const schemaFolders = {
  migrations: fileURLToPath(new URL('../migrations/', import.meta.url)),
  functions: fileURLToPath(new URL('../functions/', import.meta.url)),
};

/** Any number will do, as long as nothing else in the database locks the same one. */
const advisoryLockKey = 7_203_114_905;

interface SqlFile {
  /** A migration's file name; a function's name. */
  name: string;
  path: string;
  sql: string;
  sha256: string;
}

/** What brings a database up to date; as an answer, by name, what did. */
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
    if (number === undefined) throw new Error(`Migration ${name} is not named like 0001_name.sql.`);
    if (numbers.has(number)) throw new Error(`Two migrations have the number ${number}.`);
    numbers.add(number);
    return readSql(folder, name, name);
  });
}

/** The migrations in the order of their numbers, and the functions. */
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

/** What was applied, by name: the hash of its file. */
async function appliedIn(client: pg.Client, table: string): Promise<Map<string, string>> {
  await client.query(`CREATE TABLE IF NOT EXISTS ${table} (
    name text PRIMARY KEY, sha256 text NOT NULL, applied_at timestamptz(3) NOT NULL DEFAULT now())`);
  const { rows } = await client.query<{ name: string; sha256: string }>(`SELECT name, sha256 FROM ${table}`);
  return new Map(rows.map((row) => [row.name, row.sha256]));
}

async function applyMigrations(client: pg.Client, migrations: SqlFile[]): Promise<string[]> {
  const applied = await appliedIn(client, 'schema_migrations');
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = [...applied.keys()].filter((name) => !known.has(name)).sort();
  if (unknown.length > 0) {
    throw new Error(
      `The database is of a newer release: ${unknown.join(', ')} was applied to it, and this one has no such migration. Start the release that has it (or, while developing, delete the data folder).`,
    );
  }
  for (const { name, sha256 } of migrations) {
    if (applied.has(name) && applied.get(name) !== sha256) {
      throw new Error(
        `Migration ${name} was changed after it had been applied. Put it back and write a new one (or, while developing, delete the data folder).`,
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

/** With other parameters a function is another one, and the old one would stay beside it. */
async function refuseTwice(client: pg.Client, functions: SqlFile[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT proname AS name FROM pg_proc WHERE pronamespace = current_schema()::regnamespace AND proname = ANY ($1)
      GROUP BY proname HAVING count(*) > 1`,
    [functions.map(({ name }) => name)],
  );
  if (rows.length === 0) return;
  const names = rows.map(({ name }) => name).join(', ');
  throw new Error(
    `The database has the old one beside the new: ${names}. Other parameters need a migration that drops it.`,
  );
}

/** Puts in place what changed; after a migration, which may have made or dropped functions itself, all. */
async function applyFunctions(client: pg.Client, functions: SqlFile[], isMigrated: boolean): Promise<string[]> {
  const applied = await appliedIn(client, 'schema_functions');
  const changed = functions.filter(({ name, sha256 }) => applied.get(name) !== sha256);
  const due = isMigrated ? functions : changed;
  // They name one another: all are made before each is held to what it names.
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

/**
 * Applies what is missing in the database at `url` and answers what that was: migrations, and functions whose bodies
 * changed. Processes that start together wait for each other. A failure, or an aborted `signal`, leaves the database as it
 * was, so that the release before can go on with it. Throws when the database was brought further by a newer release.
 */
export async function migrate(
  url: string,
  { folders, signal }: { folders?: Folders; signal?: AbortSignal } = {},
): Promise<Schema<string>> {
  const files = readSchemaFiles(folders);
  const client = new pg.Client({ connectionString: url, application_name: 'stagedoor-migrate' });
  client.on('error', () => undefined);
  signal?.throwIfAborted();
  const cut = () => void client.end().catch(() => undefined);
  signal?.addEventListener('abort', cut, { once: true });
  try {
    await client.connect();
    await client.query('SELECT pg_advisory_lock($1)', [advisoryLockKey]);
    // What fails or is cut off is never committed.
    await client.query('BEGIN');
    const migrations = await applyMigrations(client, files.migrations);
    const functions = await applyFunctions(client, files.functions, migrations.length > 0);
    await client.query('COMMIT');
    // The jobs' own schema: the worker keeps it up to date at each start, but the rooms enqueue before a worker ever ran.
    if (migrations.length > 0 && folders === undefined) await migrateJobs({ connectionString: url });
    return { migrations, functions };
  } finally {
    signal?.removeEventListener('abort', cut);
    await client.end();
  }
}
