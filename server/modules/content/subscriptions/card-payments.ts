/**
 * Handles what the card processor reports about subscriptions by card. The processor decides when it charges a card. Each
 * charge is the sale of one period, in the transaction that adds the money to the wallet.
 */
import { getCardPeriodDays } from '@stagedoor/contract/content/card-prices.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { subscriptionId } from '@stagedoor/contract/shared/ids.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import { createId } from '../../../platform/ids.ts';
import { type RecurringCharge, registerRecurringPaymentHook } from '../../commerce/deposits/index.ts';
import { findPauseEnd } from '../../ledger/ledger/index.ts';
import { findOfferedTier, loadSubscriptionSettings, lockTiers, takeSlot } from '../subscription-tiers/index.ts';
import { getLookupTime, settleMissingRenewal } from './card-lookup.ts';
import { refundCardPeriod } from './card-refunds.ts';
import { type CardOrderRow, findCardOrder, findIdByPayment } from './card-store.ts';
import { chargePeriod } from './charge.ts';
import { endSubscription } from './endings.ts';
import { toSubscriptionEvent } from './events.ts';
import { getGraceEnd, grantSubscription } from './grants.ts';
import { findObstacle } from './obstacles.ts';
import { getChargedCents } from './prices.ts';
import { stopRenewing } from './stopping.ts';
import * as store from './store.ts';
import { requireSubscribable } from './subscribable.ts';
import * as texts from './texts.ts';

const DAY_MS = 24 * 60 * 60_000;

const getPeriodEnd = ({ recurrence, recurrence_count: count }: store.SubscriptionRow | CardOrderRow, startsAt: Date) =>
  new Date(startsAt.getTime() + getCardPeriodDays({ recurrence, count }) * DAY_MS);

/** Finds and locks the subscription that a payment started. */
async function lockByPayment(tx: DbTransaction, paymentId: string): Promise<store.SubscriptionRow | undefined> {
  const id = await findIdByPayment(tx, paymentId);
  return id === undefined ? undefined : store.lockSubscription(tx, id);
}

/** The order is that of the whole module: the subscription, the tiers, then the wallet. */
async function lockAll(tx: DbTransaction, paymentId: string): Promise<void> {
  const order = await findCardOrder(tx, paymentId);
  const row = await lockByPayment(tx, paymentId);
  const tierId = row?.tier_id ?? order?.tier_id;
  if (tierId !== undefined) await lockTiers(tx, [tierId]);
}

/** The fan pays the price of the order, even if the creator has changed it since. */
async function startCardSubscription(ctx: Context, tx: DbTransaction, charge: RecurringCharge): Promise<void> {
  const order = await findCardOrder(tx, charge.paymentId);
  if (!order) throw new AppError('NOT_FOUND');
  const { fan_id: fanId, creator_id: creatorId, tier_id: tierId } = order;
  await requireSubscribable(ctx, tx, fanId, creatorId);
  // An account that was deleted since is blocked, too.
  if ((await store.getBlockedAccounts(tx, order)).fan) throw new AppError('FORBIDDEN');
  const tier = await findOfferedTier(tx, tierId);
  if (!tier) throw new AppError('CONFLICT', { message: texts.tierNotOffered });
  const at = ctx.clock.now();
  const endsAt = getPeriodEnd(order, at);
  const row = {
    ...{ fan_id: fanId, creator_id: creatorId, tier_id: tierId, price_cents: order.price_cents },
    ...{ recurrence: order.recurrence, recurrence_count: order.recurrence_count, time_zone: order.time_zone },
    id: z.parse(subscriptionId, createId(ctx.clock)),
    anchor_at: at,
    period_number: 1,
    paid_until: endsAt,
    is_renewing: true,
    due_at: getLookupTime(endsAt, await loadSubscriptionSettings(tx)),
    started_at: at,
    payment_source: 'card' as const,
    recurring_payment_id: charge.paymentId,
    next_charge_at: charge.nextChargeAt ?? endsAt,
  };
  if (!(await store.insertSubscription(tx, row))) throw new AppError('CONFLICT', { message: texts.alreadySubscribed });
  if (!(await takeSlot(tx, tierId))) throw new AppError('CONFLICT', { message: texts.tierNotOffered });
  await chargePeriod(tx, row, {
    number: 1,
    startsAt: at,
    endsAt,
    priceCents: order.price_cents,
    depositId: charge.depositId,
    at,
  });
  await grantSubscription(tx, row, at);
  const event = { subscriptionId: row.id, fanId, creatorId };
  await tx.emit('subscription.started', { ...event, tierName: tier.name, isTrial: false });
  await tx.emit('subscription.changed', event);
}

/** Whether renewals were stopped before a charge. A charge from before the cancellation still pays for a period. */
function wasStoppedBefore(
  { is_renewing: isRenewing, canceled_at: canceledAt }: store.SubscriptionRow,
  at: Date,
): boolean {
  return !isRenewing && (canceledAt === null || canceledAt <= at);
}

async function renewCardSubscription(ctx: Context, tx: DbTransaction, charge: RecurringCharge): Promise<void> {
  const row = await lockByPayment(tx, charge.paymentId);
  if (!row?.paid_until || row.ended_at || wasStoppedBefore(row, charge.chargedAt))
    throw new AppError('CONFLICT', { message: texts.cannotRenew });
  const at = ctx.clock.now();
  if (await findObstacle(ctx, tx, { ...row, is_renewing: true, canceled_at: null }, at))
    throw new AppError('CONFLICT', { message: texts.cannotRenew });
  const number = row.period_number + 1;
  // A late charge follows the paid time, so that each charge pays for a whole period and none overlaps.
  const settings = await loadSubscriptionSettings(tx);
  const startsAt = charge.chargedAt <= getGraceEnd(row.paid_until, settings) ? row.paid_until : charge.chargedAt;
  const endsAt = getPeriodEnd(row, startsAt);
  await chargePeriod(tx, row, {
    number,
    startsAt,
    endsAt,
    priceCents: row.price_cents,
    depositId: charge.depositId,
    at,
  });
  const renewed = {
    period_number: number,
    paid_until: endsAt,
    due_at: row.is_renewing ? getLookupTime(endsAt, settings) : endsAt,
    next_charge_at: row.is_renewing ? (charge.nextChargeAt ?? row.next_charge_at) : null,
    failed_attempts: 0,
    failed_at: null,
  };
  await store.updateSubscription(tx, row.id, renewed);
  await grantSubscription(tx, { ...row, paid_until: endsAt }, at);
  const event = toSubscriptionEvent(row);
  await tx.emit('subscription.renewed', { ...event, priceCents: row.price_cents });
  await tx.emit('subscription.changed', event);
}

async function recordDecline(
  ctx: Context,
  tx: DbTransaction,
  row: store.SubscriptionRow,
  nextAttemptAt: Date | undefined,
): Promise<void> {
  if (!row.is_renewing) return;
  const attempts = { failed_attempts: row.failed_attempts + 1, failed_at: ctx.clock.now() };
  await store.updateSubscription(tx, row.id, { ...attempts, next_charge_at: nextAttemptAt ?? null });
  const event = toSubscriptionEvent(row);
  const nextAttempt = nextAttemptAt?.toISOString() ?? null;
  const priceCents = getChargedCents(row, row.price_cents);
  await tx.emit('subscription.renewalFailed', {
    ...event,
    priceCents,
    nextAttemptAt: nextAttempt,
    paymentSource: 'card',
  });
  await tx.emit('subscription.changed', event);
}

/** Whether a charge would be in a spending break of the fan, in which the money could not be spent. */
async function isChargedInBreak(
  tx: DbTransaction,
  { fan_id: fanId }: store.SubscriptionRow,
  chargeAt: Date,
  now: Date,
): Promise<boolean> {
  const pausedUntil = await findPauseEnd(tx, fanId, now);
  return pausedUntil !== undefined && chargeAt <= pausedUntil;
}

async function resume(
  ctx: Context,
  tx: DbTransaction,
  row: store.SubscriptionRow,
  nextChargeAt: Date | undefined,
): Promise<boolean> {
  if (!row.paid_until) return false;
  if (row.is_renewing) return true;
  const at = ctx.clock.now();
  const resumed = { is_renewing: true, canceled_at: null };
  if (row.paid_until <= at || (await findObstacle(ctx, tx, { ...row, ...resumed }, at))) return false;
  if (await isChargedInBreak(tx, row, nextChargeAt ?? row.paid_until, at)) return false;
  const dueAt = getLookupTime(row.paid_until, await loadSubscriptionSettings(tx));
  const due = { due_at: dueAt, next_charge_at: nextChargeAt ?? row.paid_until };
  await store.updateSubscription(tx, row.id, { ...resumed, ...due });
  await grantSubscription(tx, { ...row, ...resumed }, at);
  await tx.emit('subscription.changed', toSubscriptionEvent(row));
  return true;
}

/** An earlier date does not shorten a paid period. A later one extends the access. */
async function moveNextCharge(ctx: Context, tx: DbTransaction, row: store.SubscriptionRow, to: Date): Promise<void> {
  if (!row.is_renewing || !row.paid_until) return;
  const paidUntil = to > row.paid_until ? to : row.paid_until;
  const dueAt = getLookupTime(paidUntil, await loadSubscriptionSettings(tx));
  const moved = { next_charge_at: to, paid_until: paidUntil, due_at: dueAt };
  const at = ctx.clock.now();
  await store.updateSubscription(tx, row.id, moved);
  await grantSubscription(tx, { ...row, ...moved }, at);
  await tx.emit('subscription.changed', toSubscriptionEvent(row));
  if (await isChargedInBreak(tx, row, to, at)) await stopRenewing(tx, { ...row, ...moved }, { reason: 'canceled', at });
}

export function registerCardPayments(ctx: Context): void {
  const stop = async (tx: DbTransaction, paymentId: string) => {
    const row = await lockByPayment(tx, paymentId);
    // After several declined charges the processor stops, so the subscription is unpaid and not canceled by the fan.
    const reason = row && row.failed_attempts > 0 ? 'unpaid' : 'canceled';
    if (row) await stopRenewing(tx, row, { reason, at: ctx.clock.now() });
  };
  const findRunning = async (tx: DbTransaction, paymentId: string) => {
    const row = await lockByPayment(tx, paymentId);
    return row?.ended_at ? undefined : row;
  };
  registerRecurringPaymentHook(ctx, {
    lock: lockAll,
    onPaid: (tx, charge) => (charge.isFirst ? startCardSubscription : renewCardSubscription)(ctx, tx, charge),
    onRefused: stop,
    onStopped: stop,
    onDeclined: async (tx, paymentId, nextAttemptAt) => {
      const row = await findRunning(tx, paymentId);
      if (row) await recordDecline(ctx, tx, row, nextAttemptAt);
    },
    onResumed: async (tx, paymentId, nextChargeAt) => {
      const row = await findRunning(tx, paymentId);
      return row !== undefined && (await resume(ctx, tx, row, nextChargeAt));
    },
    onDateChanged: async (tx, paymentId, nextChargeAt) => {
      const row = await findRunning(tx, paymentId);
      if (row) await moveNextCharge(ctx, tx, row, nextChargeAt);
    },
    onLookedUp: async (tx, paymentId, result) => {
      const row = await findRunning(tx, paymentId);
      if (row) await settleMissingRenewal(ctx, tx, row, result);
    },
    onRefunded: (tx, refund) => refundCardPeriod(ctx, tx, refund),
    onChargedBack: async (tx, paymentId) => {
      const row = await findRunning(tx, paymentId);
      if (row) await endSubscription(tx, row, { reason: 'chargeback', at: ctx.clock.now() });
    },
  });
}
