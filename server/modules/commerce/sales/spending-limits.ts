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

/**
 * Checks everything about a purchase except the balance, before a card is charged for it. Throws FORBIDDEN (spending blocked,
 * self-exclusion or over a limit).
 */
export async function requireAllowedSpending(
  tx: DbTransaction,
  request: Omit<SpendingRequest, 'defaultLimitCents'>,
): Promise<void> {
  const { dailyLimitCents: defaultLimitCents } = await getSalesSettings(tx);
  await requireAllowedByLedger(tx, { ...request, defaultLimitCents });
}
