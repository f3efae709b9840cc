/**
 * `npm run ledger:check`: proves the ledger of DATABASE_URL, or of the embedded database, whether or not the platform is
 * running. Prints what was looked at; exits with 1 when anything is wrong.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../../kernel/config.ts';
import { openDatabase } from '../../kernel/db.ts';
import { startPostgres } from '../../kernel/postgres.ts';
import { checkLedger, wordsOf } from './check.ts';

async function main(): Promise<boolean> {
  const config = readConfig();
  const dataDir = join(config.dataDir, 'postgres');
  if (config.databaseUrl === undefined && !existsSync(join(dataDir, 'cluster'))) {
    throw new Error(`There is no database in ${config.dataDir} yet, and no DATABASE_URL.`);
  }
  const log = { info: () => undefined, warn: console.warn, error: console.error };
  const postgres = config.databaseUrl === undefined ? await startPostgres({ dataDir, log }) : undefined;
  const db = openDatabase(config.databaseUrl ?? postgres?.url ?? '', { maxConnections: 2 });
  try {
    const report = await checkLedger(db);
    console.log(wordsOf(report));
    console.log(report.isClean ? 'The ledger is in order.' : 'The ledger is NOT in order.');
    return report.isClean;
  } finally {
    await db.close();
    await postgres?.stop();
  }
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
