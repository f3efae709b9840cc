/**
 * `npm run ledger:check`: proves the ledger of DATABASE_URL, or of the embedded database, whether or not the platform is
 * running: that its sums are right, and that nothing of it was rewritten. `-- --from-checkpoint` looks for rewriting only
 * since the last time that all was in order; `-- --checkpoint FILE` proves that it continues a checkpoint that you kept.
 * Prints what was looked at; exits with 1 when anything is wrong.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from '../../kernel/clock.ts';
import { readConfig } from '../../kernel/config.ts';
import { openDatabase } from '../../kernel/db.ts';
import { openStorage } from '../../kernel/open-storage.ts';
import { startPostgres } from '../../kernel/postgres.ts';
import { checkLedger, wordsOf } from '../ledger/index.ts';
import { checkLog, markProven } from './check.ts';

async function main(): Promise<boolean> {
  const { values } = parseArgs({
    options: { 'from-checkpoint': { type: 'boolean', default: false }, checkpoint: { type: 'string' } },
  });
  const note = values.checkpoint === undefined ? undefined : readFileSync(values.checkpoint, 'utf8');
  const config = readConfig();
  const dataDir = join(config.dataDir, 'postgres');
  if (config.databaseUrl === undefined && !existsSync(join(dataDir, 'cluster'))) {
    throw new Error(`There is no database in ${config.dataDir} yet, and no DATABASE_URL.`);
  }
  const log = { info: () => undefined, warn: console.warn, error: console.error };
  const postgres = config.databaseUrl === undefined ? await startPostgres({ dataDir, log }) : undefined;
  const db = openDatabase(config.databaseUrl ?? postgres?.url ?? '', { maxConnections: 2 });
  try {
    const storage = await openStorage(config.storage);
    const isFromCheckpoint = values['from-checkpoint'];
    const sums = await checkLedger(db);
    console.log(wordsOf(sums));
    const rows = await checkLog({ config, db, storage }, { isFromCheckpoint, ...(note !== undefined && { note }) });
    console.log(wordsOf(rows));
    const isClean = sums.isClean && rows.isClean;
    if (rows.isClean) await markProven({ db, clock: systemClock }, rows.size);
    console.log(isClean ? 'The ledger is in order.' : 'The ledger is NOT in order.');
    return isClean;
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
