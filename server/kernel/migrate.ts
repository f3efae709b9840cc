/**
 * Brings a database to the schema of this code: numbered SQL files, forward only, each in its own transaction, one
 * process at a time. A file that has been applied is history: a changed one is refused.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runMigrations as migrateJobs } from 'graphile-worker';
import pg from 'pg';

export const migrationsFolder = fileURLToPath(new URL('../migrations/', import.meta.url));

/** Any number will do, as long as nothing else in the database locks the same one. */
const advisoryLockKey = 7_203_114_905;

export interface Migration {
  name: string;
  sql: string;
  sha256: string;
}

/** The migrations of a folder in the order of their numbers. */
export function readMigrations(folder: string = migrationsFolder): Migration[] {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  const numbers = new Set<string>();
  return names.map((name) => {
    const number = /^(\d{4})_[a-z0-9_-]+\.sql$/.exec(name)?.[1];
    if (number === undefined) throw new Error(`Migration ${name} is not named like 0001_name.sql.`);
    if (numbers.has(number)) throw new Error(`Two migrations have the number ${number}.`);
    numbers.add(number);
    const sql = readFileSync(join(folder, name), 'utf8');
    return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
  });
}

function describeFailure(migration: Migration, error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error);
  let place = '';
  if (error instanceof pg.DatabaseError && error.position !== undefined) {
    const line = Array.from(migration.sql).slice(0, Number(error.position)).join('').split('\n').length;
    place = ` (line ${line})`;
  }
  const detail = error instanceof pg.DatabaseError && error.detail !== undefined ? ` ${error.detail}` : '';
  return new Error(`Migration ${migration.name}${place} failed: ${message}.${detail}`, { cause: error });
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(migration.sql);
    await client.query('INSERT INTO schema_migrations (name, sha256) VALUES ($1, $2)', [
      migration.name,
      migration.sha256,
    ]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw describeFailure(migration, error);
  }
}

/**
 * Applies what is missing in the database at `url` and returns the names of the files it applied. Processes that
 * start together wait for each other. A failure, or an aborted `signal`, leaves the earlier files applied and nothing of
 * the failed one.
 */
export async function migrate(url: string, options: { folder?: string; signal?: AbortSignal } = {}): Promise<string[]> {
  const migrations = readMigrations(options.folder);
  const client = new pg.Client({ connectionString: url, application_name: 'stagedoor-migrate' });
  client.on('error', () => undefined);
  options.signal?.throwIfAborted();
  const cut = () => void client.end().catch(() => undefined);
  options.signal?.addEventListener('abort', cut, { once: true });
  try {
    await client.connect();
    await client.query('SELECT pg_advisory_lock($1)', [advisoryLockKey]);
    await client.query(`CREATE TABLE IF NOT EXISTS schema_migrations (
      name text PRIMARY KEY, sha256 text NOT NULL, applied_at timestamptz(3) NOT NULL DEFAULT now())`);
    const { rows } = await client.query<{ name: string; sha256: string }>('SELECT name, sha256 FROM schema_migrations');
    const applied = new Map(rows.map((row) => [row.name, row.sha256]));
    for (const { name, sha256 } of migrations) {
      if (applied.has(name) && applied.get(name) !== sha256) {
        throw new Error(
          `Migration ${name} was changed after it had been applied. Put it back and write a new one (or, while developing, delete the data folder).`,
        );
      }
    }
    const missing = migrations.filter(({ name }) => !applied.has(name));
    for (const migration of missing) await apply(client, migration);
    // The jobs' own schema: the worker keeps it up to date at each start, but the rooms enqueue before a worker ever ran.
    if (missing.length > 0 && options.folder === undefined) await migrateJobs({ connectionString: url });
    return missing.map(({ name }) => name);
  } finally {
    options.signal?.removeEventListener('abort', cut);
    await client.end();
  }
}
