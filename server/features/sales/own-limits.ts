/** A fan's own spending limits beside the operator's. */
import type { Executor } from '../../kernel/db.ts';
import { type SpendingLimit, spendingLimits } from '../ledger/index.ts';
import { salesSettings } from './fees.ts';

/** A fan's limits as they stand at an instant: day, week, month. */
export async function ownLimitsOf(db: Executor, fanId: string, at: Date): Promise<SpendingLimit[]> {
  const { dailyLimitCents } = await salesSettings(db);
  return spendingLimits(db, fanId, dailyLimitCents, at);
}
