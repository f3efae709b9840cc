import type { SubscriptionEnd } from '@stagedoor/contract/content/subscriptions.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import { cancelRecurringPayment } from '../../commerce/deposits/index.ts';
import { endSubscription } from './endings.ts';
import { toSubscriptionEvent } from './events.ts';
import { grantSubscription } from './grants.ts';
import * as store from './store.ts';

/**
 * Stops renewing. Access lasts until the end of the paid period; a free or unpaid subscription ends at once. The caller
 * holds the lock on the row. Returns whether anything changed.
 */
export async function stopRenewing(
  tx: DbTransaction,
  row: store.SubscriptionRow,
  { reason, at }: { reason: SubscriptionEnd; at: Date },
): Promise<boolean> {
  if (row.ended_at) return false;
  if (!row.paid_until || row.paid_until <= at) {
    await endSubscription(tx, row, { reason, at });
    return true;
  }
  if (!row.is_renewing) return false;
  await store.updateSubscription(tx, row.id, {
    is_renewing: false,
    // Other reasons than a cancellation are found out again when the paid period ends.
    canceled_at: reason === 'canceled' ? at : null,
    due_at: row.paid_until,
    next_charge_at: null,
    failed_attempts: 0,
    failed_at: null,
  });
  if (row.recurring_payment_id !== null) await cancelRecurringPayment(tx, row.recurring_payment_id, at);
  await grantSubscription(tx, { ...row, is_renewing: false }, at);
  await tx.emit('subscription.changed', toSubscriptionEvent(row));
  return true;
}
