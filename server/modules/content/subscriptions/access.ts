import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import { lockSubscription, type SubscriptionRow } from './store.ts';

/** Locks a fan's own subscription. Throws NOT_FOUND for those of others, as for ids that do not exist. */
export async function lockOwnSubscription(tx: DbTransaction, fanId: string, id: string): Promise<SubscriptionRow> {
  const unsafeRow = await lockSubscription(tx, id);
  if (!unsafeRow || unsafeRow.fan_id !== fanId) throw new AppError('NOT_FOUND');
  return unsafeRow;
}
