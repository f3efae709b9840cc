/**
 * `npm run ledger:check`: verifies the ledger of DATABASE_URL, or of the embedded database, also while the platform
 * runs. `-- --from-checkpoint` checks for rewriting only since the last clean check. `-- --checkpoint FILE` verifies
 * that the log continues a checkpoint that you stored. Exits with 1 when anything is wrong.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { runCliCommand } from '../../../platform/cli.ts';
import { systemClock } from '../../../platform/clock.ts';
import { openStorage } from '../../../platform/storage/open-storage.ts';
import { checkLedger, formatCheckReport } from '../../ledger/ledger-checks/index.ts';
import { checkLog, markVerified } from './check.ts';

await runCliCommand(async ({ config, db }) => {
  const { values } = parseArgs({
    options: { 'from-checkpoint': { type: 'boolean', default: false }, checkpoint: { type: 'string' } },
  });
  const note = values.checkpoint === undefined ? undefined : readFileSync(values.checkpoint, 'utf8');
  const storage = await openStorage(config.storage);
  const isFromCheckpoint = values['from-checkpoint'];
  const sums = await checkLedger(db);
  console.log(formatCheckReport(sums));
  const rows = await checkLog({ config, db, storage }, { isFromCheckpoint, ...(note !== undefined && { note }) });
  console.log(formatCheckReport(rows));
  const isClean = sums.isClean && rows.isClean;
  if (rows.isClean) await markVerified({ db, clock: systemClock }, rows.size);
  console.log(isClean ? 'Ledger OK.' : 'Ledger check FAILED.');
  process.exitCode = isClean ? 0 : 1;
});
