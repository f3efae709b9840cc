/** How a subscription ends, with the refund that belongs to the reason. */
import type { SubscriptionEnd } from '@stagedoor/contract/content/subscriptions.ts';
import { asCents, type Cents } from '@stagedoor/contract/shared/money.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import { createId } from '../../../platform/ids.ts';
import { findSale, refundSale } from '../../commerce/sales/index.ts';
import { releaseSlot } from '../subscription-tiers/index.ts';
import './events.ts';
import { revokeSubscription } from './grants.ts';
import * as store from './store.ts';

/** Ends it now: no access, no more charges. The caller holds the lock on the row. Does nothing to an ended one. */
export async function endSubscription(
  tx: DbTransaction,
  row: store.SubscriptionRow,
  { reason, at }: { reason: SubscriptionEnd; at: Date },
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
  await tx.emit('subscription.ended', { ...subscription, reason });
  await tx.emit('subscription.changed', subscription);
}

/** The part of a period's price that belongs to the rest of it, rounded down to cents. */
export function calculateUnusedCents(
  period: Pick<store.PeriodRow, 'starts_at' | 'ends_at' | 'price_cents'>,
  at: Date,
): Cents {
  const [start, end] = [period.starts_at.getTime(), period.ends_at.getTime()];
  const unusedMs = Math.min(Math.max(end - at.getTime(), 0), end - start);
  return asCents(Math.floor((period.price_cents * unusedMs) / (end - start)));
}

/**
 * Refunds the rest of the current period, at most what was not refunded before. Returns the refunded amount. The caller
 * holds the lock on the row and has ended the subscription in the same transaction, so it happens once, and the tier is
 * locked before the wallet. The operation id is
 * random, because a known one could be used up by a request of the actor.
 */
export async function refundUnused(
  ctx: Pick<Context, 'clock'>,
  tx: DbTransaction,
  row: store.SubscriptionRow,
  { actorId, reason }: { actorId: string; reason: string },
): Promise<Cents> {
  const period = await store.findPeriod(tx, row.id, row.period_number);
  const at = ctx.clock.now();
  const unusedCents = period && period.refunded_cents === 0 ? calculateUnusedCents(period, at) : 0;
  if (!period || unusedCents === 0) return asCents(0);
  const sale = await findSale(tx, period.sale_id);
  if (!sale || sale.grossCents === sale.reversedCents) return asCents(0);
  const { grossCents } = await refundSale(tx, {
    saleId: period.sale_id,
    grossCents: unusedCents,
    actorId,
    operationId: createId(ctx.clock),
    reason,
    at,
  });
  await store.setRefunded(tx, period.id, grossCents);
  return grossCents;
}
