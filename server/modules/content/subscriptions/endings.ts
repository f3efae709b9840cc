/** How a subscription ends, with the refund that belongs to the reason. */
import type { SubscriptionEnd } from '@stagedoor/contract/content/subscriptions.ts';
import { asCents, type Cents } from '@stagedoor/contract/shared/money.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import { createId } from '../../../platform/ids.ts';
import { cancelRecurringPayment } from '../../commerce/deposits/index.ts';
import { findSale, refundSale } from '../../commerce/sales/index.ts';
import { findUser } from '../../identity/accounts/index.ts';
import { releaseSlot } from '../subscription-tiers/index.ts';
import { toSubscriptionEvent } from './events.ts';
import { isGiftPeriod } from './gift-periods.ts';
import { revokeSubscription } from './grants.ts';
import * as store from './store.ts';

/** `refund` runs in the same transaction and returns what it refunded. */
type Ending = { reason: SubscriptionEnd; at: Date; refund?: () => Promise<number> };

/** Ends it now: no access, no more charges. The caller holds the lock on the row. Does nothing to an ended one. */
export async function endSubscription(
  tx: DbTransaction,
  row: store.SubscriptionRow,
  { reason, at, refund }: Ending,
): Promise<void> {
  if (row.ended_at) return;
  await revokeSubscription(tx, row, at);
  // The tier is locked before the wallet that is refunded.
  await releaseSlot(tx, row.tier_id);
  const refundedCents = refund ? await refund() : 0;
  await store.updateSubscription(tx, row.id, {
    ended_at: at,
    end_reason: reason,
    is_renewing: false,
    due_at: null,
    next_charge_at: null,
    new_price_cents: null,
    new_price_from: null,
  });
  if (row.recurring_payment_id !== null) await cancelRecurringPayment(tx, row.recurring_payment_id, at);
  const subscription = toSubscriptionEvent(row);
  // The refund of a gift goes to its payer, who is notified of the refund itself.
  await tx.emit('subscription.ended', {
    ...subscription,
    reason,
    refundedCents: isGiftPeriod(row) ? 0 : refundedCents,
  });
  await tx.emit('subscription.changed', subscription);
}

type UnusedPeriod = Pick<store.PeriodRow, 'starts_at' | 'ends_at' | 'price_cents'>;

/** The part of what a fan paid for a period that belongs to the rest of it, rounded down to cents. */
export function calculateUnusedCents(period: UnusedPeriod, at: Date, refundedCents = 0): Cents {
  const [start, end] = [period.starts_at.getTime(), period.ends_at.getTime()];
  const unusedMs = Math.min(Math.max(end - at.getTime(), 0), end - start);
  return asCents(Math.floor(((period.price_cents - refundedCents) * unusedMs) / (end - start)));
}

/** Whether the account that a refund goes to is open: the fan's, or the giver's for the period of a gift. */
export async function isPayerAccountOpen(
  tx: DbTransaction,
  row: Pick<store.SubscriptionRow, 'fan_id' | 'payer_id' | 'period_number'>,
): Promise<boolean> {
  const payer = await findUser(tx, isGiftPeriod(row) ? (row.payer_id ?? row.fan_id) : row.fan_id);
  return payer !== undefined && !payer.is_erasing;
}

type UnusedRefund = { actorId: string; refundReason: string; maxCents?: number };

async function refundUnused(
  { clock }: Pick<Context, 'clock'>,
  tx: DbTransaction,
  row: store.SubscriptionRow,
  { actorId, refundReason, maxCents = Number.POSITIVE_INFINITY }: UnusedRefund,
): Promise<Cents> {
  const period = await store.findPeriod(tx, row.id, row.period_number);
  const sale = period && (await isPayerAccountOpen(tx, row)) ? await findSale(tx, period.sale_id) : undefined;
  const at = clock.now();
  const unusedCents = period && sale ? Math.min(calculateUnusedCents(period, at, sale.reversedCents), maxCents) : 0;
  if (!period || !sale || unusedCents === 0) return asCents(0);
  const { grossCents } = await refundSale(tx, {
    saleId: sale.id,
    grossCents: unusedCents,
    actorId,
    // A random one, because a known one could be used up by a request of the actor.
    operationId: createId(clock),
    reason: refundReason,
    at,
  });
  await store.setRefunded(tx, period.id, sale.reversedCents + grossCents);
  return grossCents;
}

/**
 * Ends it now and refunds the rest of the current period, of what was not refunded before. The caller holds the lock on the
 * row. Does nothing to an ended one, so that it refunds once.
 */
export async function endWithRefund(
  ctx: Pick<Context, 'clock'>,
  tx: DbTransaction,
  row: store.SubscriptionRow,
  { reason, ...refund }: UnusedRefund & { reason: SubscriptionEnd },
): Promise<void> {
  await endSubscription(tx, row, { reason, at: ctx.clock.now(), refund: () => refundUnused(ctx, tx, row, refund) });
}
