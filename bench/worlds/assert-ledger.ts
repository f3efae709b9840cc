/** Proves that what was measured was true: nothing was lost or made. */
import { checkLedger } from '../../server/features/ledger/index.ts';
import { withDatabase } from '../harness/database.ts';

/** Throws, saying what is wrong, unless the product's own check finds the ledger in order. */
export async function assertLedger(url: string): Promise<void> {
  const { isClean, checks } = await withDatabase(url, checkLedger);
  if (isClean) return;
  const faults = checks.flatMap(({ name, wrong }) => (wrong.length > 0 ? [`${name}: ${wrong.join(', ')}`] : []));
  throw new Error(`The ledger is wrong.\n${faults.join('\n')}`);
}
