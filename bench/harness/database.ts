/** Starts a PostgreSQL for the bench, durable like in production, in a folder that is removed afterwards. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OWNED_SCHEMAS } from '../../server/modules/index.ts';
import { type Database, openDatabase, runSql } from '../../server/platform/database/db.ts';
import { migrateDatabase } from '../../server/platform/database/migrate.ts';
import { PRODUCT_ROLE, startPostgres, toPostgresUrl } from '../../server/platform/postgres/postgres.ts';
import { getSocketFolder } from '../../server/platform/postgres/postgres-paths.ts';
import { getProcessTreeCpuMs } from './cpu.ts';

const cache = fileURLToPath(new URL('../../.cache/', import.meta.url));

export type BenchPostgres = {
  readonly socket: string;
  /** Creates a database with all migrations. Returns the connection URL of its owner. */
  createMigrated(name: string): Promise<string>;
  createEmpty(name: string): Promise<string>;
  /** Copies a database. No connection to the original may be open. */
  copy(name: string, template: string): Promise<string>;
  /** CPU in ms that PostgreSQL has used so far. */
  cpuMs(): number;
  stop(): Promise<void>;
};

export function toProductUrl(url: string): string {
  return url.replace(/(?<=^postgresql:\/\/)\w+(?=@)/, PRODUCT_ROLE);
}

export async function withDatabase<T>(url: string, work: (db: Database) => Promise<T>): Promise<T> {
  const db = openDatabase(url, { maxConnections: 2 });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

/** Starts PostgreSQL with fsync and synchronous commit, because a payment waits for these. */
export async function startBenchPostgres(): Promise<BenchPostgres> {
  mkdirSync(cache, { recursive: true });
  const dataDir = mkdtempSync(join(cache, 'bench-'));
  const log = { info: () => undefined, warn: console.warn, error: console.error };
  const postgres = await startPostgres({ dataDir, log, durable: true });
  const cluster = realpathSync(join(dataDir, 'cluster'));
  const pid = Number.parseInt(readFileSync(join(cluster, 'postmaster.pid'), 'utf8'), 10);
  const create = async (name: string, template = 'template0') => {
    await withDatabase(toPostgresUrl(dataDir, 'postgres'), (db) =>
      // Files are copied directly. Otherwise a template of gigabytes would be written to the write-ahead log.
      runSql(db, `create database ${name} template ${template} strategy file_copy`),
    );
    return toPostgresUrl(dataDir, name);
  };
  return {
    socket: getSocketFolder(dataDir),
    createEmpty: (name) => create(name),
    copy: (name, template) => create(name, template),
    createMigrated: async (name) => {
      const url = await create(name);
      await migrateDatabase(url, { product: { url: toProductUrl(url), schemas: OWNED_SCHEMAS } });
      return url;
    },
    cpuMs: () => getProcessTreeCpuMs(pid),
    stop: async () => {
      await postgres.stop();
      for (const path of [cluster, getSocketFolder(dataDir), dataDir])
        if (existsSync(path)) rmSync(path, { recursive: true, force: true });
    },
  };
}

/**
 * Vacuums and analyzes, so that rounds begin alike. Statistics of empty tables are cleared because otherwise PostgreSQL
 * would plan sequential scans until the next analyze.
 */
export async function vacuumDatabase(url: string): Promise<void> {
  await withDatabase(url, async (db) => {
    await runSql(db, 'vacuum analyze');
    await runSql(
      db,
      `select pg_clear_relation_stats(n.nspname::text, c.relname::text) from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where c.relkind = 'r' and c.reltuples = 0 and n.nspname = 'public'`,
    );
    await runSql(db, 'checkpoint');
  });
}
