import type { Executor } from '../../kernel/db.ts';
import { type SpendingLimit, spendingLimits } from '../ledger/index.ts';
import { salesSettings } from './fees.ts';

export async function ownLimitsOf(db: Executor, fanId: string, at: Date): Promise<SpendingLimit[]> {
  const { dailyLimitCents } = await salesSettings(db);
  return spendingLimits(db, fanId, dailyLimitCents, at);
}
