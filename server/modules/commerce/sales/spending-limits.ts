import type { Executor } from '../../../platform/database/db.ts';
import { type FanSpendingLimit, listFanSpendingLimits } from '../../ledger/ledger/index.ts';
import { getSalesSettings } from './fees.ts';

export async function getFanSpendingLimits(db: Executor, fanId: string, at: Date): Promise<FanSpendingLimit[]> {
  const { dailyLimitCents } = await getSalesSettings(db);
  return listFanSpendingLimits(db, fanId, dailyLimitCents, at);
}
