/** Commands for the command line, on DATABASE_URL or the embedded database, whether or not the server is running. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, readConfig } from './config.ts';
import { type Database, openDatabase } from './database/db.ts';
import { startPostgres } from './postgres/postgres.ts';

export type CliContext = { readonly config: Config; readonly db: Database; readonly databaseUrl: string };

async function runWithDatabase(work: (context: CliContext) => Promise<void>): Promise<void> {
  const config = readConfig();
  const dataDir = join(config.dataDir, 'postgres');
  if (config.databaseUrl === undefined && !existsSync(join(dataDir, 'cluster')))
    throw new Error(`No database in ${config.dataDir} and DATABASE_URL isn’t set.`);
  const log = { info: () => undefined, warn: console.warn, error: console.error };
  const postgres = config.databaseUrl === undefined ? await startPostgres({ dataDir, log }) : undefined;
  const databaseUrl = config.databaseUrl ?? postgres?.url ?? '';
  const db = openDatabase(databaseUrl, { maxConnections: 2 });
  try {
    await work({ config, db, databaseUrl });
  } finally {
    await db.close();
    await postgres?.stop();
  }
}

export async function runCliCommand(work: (context: CliContext) => Promise<void>): Promise<void> {
  try {
    await runWithDatabase(work);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
