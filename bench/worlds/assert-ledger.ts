import { checkLedger } from '../../server/features/ledger/index.ts';
import { withDatabase } from '../harness/database.ts';

export async function assertLedger(url: string): Promise<void> {
  const { isClean, checks } = await withDatabase(url, checkLedger);
  if (isClean) return;
  const faults = checks.flatMap(({ name, wrong }) => (wrong.length > 0 ? [`${name}: ${wrong.join(', ')}`] : []));
  throw new Error(`The ledger is wrong.\n${faults.join('\n')}`);
}
