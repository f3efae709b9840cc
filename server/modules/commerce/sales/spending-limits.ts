import type { DbTransaction, Executor } from '../../../platform/database/db.ts';
import {
  type FanSpendingLimit,
  listFanSpendingLimits,
  requireAllowedSpending as requireAllowedByLedger,
  type SpendingRequest,
} from '../../ledger/ledger/index.ts';
import { getSalesSettings } from './fees.ts';

export async function getFanSpendingLimits(db: Executor, fanId: string, at: Date): Promise<FanSpendingLimit[]> {
  const { dailyLimitCents } = await getSalesSettings(db);
  return listFanSpendingLimits(db, fanId, dailyLimitCents, at);
}

/** Before a card is charged for something. Throws FORBIDDEN if the fan could not buy it, whatever the balance is. */
export async function requireAllowedSpending(
  tx: DbTransaction,
  request: Omit<SpendingRequest, 'defaultLimitCents'>,
): Promise<void> {
  const { dailyLimitCents: defaultLimitCents } = await getSalesSettings(tx);
  await requireAllowedByLedger(tx, { ...request, defaultLimitCents });
}
