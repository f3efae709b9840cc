/** How a subscription ends or stops renewing, with the refund that belongs to the reason. */
import type { SubscriptionEnd } from '@stagedoor/contract/content/subscriptions.ts';
import { asCents, type Cents } from '@stagedoor/contract/shared/money.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import { findSale, refundSale } from '../../commerce/sales/index.ts';
import { releaseSlot } from '../subscription-tiers/index.ts';
import './events.ts';
import { grantSubscription, revokeSubscription } from './grants.ts';
import { toPeriodId } from './period-ids.ts';
import * as store from './store.ts';

type Ending = { reason: SubscriptionEnd; at: Date; refundedCents?: number };

/** Ends it now: no access, no more charges. The caller holds the lock on the row. Does nothing to an ended one. */
export async function endSubscription(
  tx: DbTransaction,
  row: store.SubscriptionRow,
  { reason, at, refundedCents = 0 }: Ending,
): Promise<void> {
  if (row.ended_at) return;
  await revokeSubscription(tx, row, at);
  await releaseSlot(tx, row.tier_id);
  await store.updateSubscription(tx, row.id, {
    ended_at: at,
    end_reason: reason,
    is_renewing: false,
    due_at: null,
    new_price_cents: null,
    new_price_from: null,
  });
  const subscription = { subscriptionId: row.id, fanId: row.fan_id, creatorId: row.creator_id };
  await tx.emit('subscription.ended', { ...subscription, reason, refundedCents });
  await tx.emit('subscription.changed', subscription);
}

type UnusedPeriod = Pick<store.PeriodRow, 'starts_at' | 'ends_at' | 'price_cents'>;

/** The part of what a fan paid for a period that belongs to the rest of it, rounded down to cents. */
export function calculateUnusedCents(period: UnusedPeriod, at: Date, refundedCents = 0): Cents {
  const [start, end] = [period.starts_at.getTime(), period.ends_at.getTime()];
  const unusedMs = Math.min(Math.max(end - at.getTime(), 0), end - start);
  return asCents(Math.floor(((period.price_cents - refundedCents) * unusedMs) / (end - start)));
}

/** Refunds the rest of the current period and returns the refunded amount. Requires that the subscription has not ended. */
async function refundUnused(
  tx: DbTransaction,
  row: store.SubscriptionRow,
  { refundReason, at }: { refundReason: string; at: Date },
): Promise<Cents> {
  const period = await store.findPeriod(tx, row.id, row.period_number);
  const sale = period && (await findSale(tx, period.sale_id));
  const unusedCents = sale ? calculateUnusedCents(period, at, sale.reversedCents) : 0;
  if (!sale || unusedCents === 0) return asCents(0);
  const { grossCents } = await refundSale(tx, {
    saleId: sale.id,
    grossCents: unusedCents,
    actorId: row.creator_id,
    operationId: toPeriodId(row.id, -row.period_number),
    reason: refundReason,
    at,
  });
  await store.setRefunded(tx, period.id, sale.reversedCents + grossCents);
  return grossCents;
}

/**
 * Ends it now and refunds the rest of the current period. The caller holds the lock on the row. Does nothing to an ended
 * one, so that it refunds once.
 */
export async function endWithRefund(
  { clock }: Pick<Context, 'clock'>,
  tx: DbTransaction,
  row: store.SubscriptionRow,
  { reason, refundReason }: { reason: SubscriptionEnd; refundReason: string },
): Promise<void> {
  if (row.ended_at) return;
  const at = clock.now();
  const refundedCents = await refundUnused(tx, row, { refundReason, at });
  await endSubscription(tx, row, { reason, at, refundedCents });
}

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
    failed_attempts: 0,
    failed_at: null,
    new_price_cents: null,
    new_price_from: null,
  });
  await grantSubscription(tx, { ...row, is_renewing: false }, at);
  await tx.emit('subscription.changed', { subscriptionId: row.id, fanId: row.fan_id, creatorId: row.creator_id });
  return true;
}
