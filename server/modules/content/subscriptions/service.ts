/** What fans do with their subscriptions. */
import type * as contract from '@stagedoor/contract/content/subscriptions.ts';
import type { Subscription } from '@stagedoor/contract/content/subscriptions.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { toCents, toDepositBalance } from '@stagedoor/contract/shared/money.ts';
import type { ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import { claimIdempotencyKey } from '../../../platform/database/idempotency.ts';
import { parseIdOffset, toCursor } from '../../../platform/database/pagination.ts';
import { createId } from '../../../platform/ids.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { cancelRecurringPayment } from '../../commerce/deposits/index.ts';
import { refundSale } from '../../commerce/sales/index.ts';
import { getWalletBalance, hashRequest } from '../../ledger/ledger/index.ts';
import { loadSubscriptionSettings } from '../subscription-tiers/index.ts';
import { lockOwnSubscription } from './access.ts';
import { endSubscription } from './endings.ts';
import { toSubscriptionEvent } from './events.ts';
import { grantSubscription } from './grants.ts';
import { findObstacle } from './obstacles.ts';
import { getRefundEnd, presentCurrent, presentSubscription } from './present.ts';
import { renewSubscription } from './renewals.ts';
import * as store from './store.ts';
import * as texts from './texts.ts';

type Fan = Pick<Actor, 'userId'>;

async function present(ctx: Context, id: string): Promise<Subscription> {
  const view = await store.findView(ctx.db, id);
  if (!view) throw new AppError('NOT_FOUND');
  return presentSubscription(view, ctx.clock.now(), await loadSubscriptionSettings(ctx.db));
}

type OwnChange = {
  actor: Fan;
  id: string;
  /** Runs with the lock on the row. */
  change: (tx: DbTransaction, row: store.SubscriptionRow, at: Date) => Promise<void>;
  /** Whether a row needs no change, for example after a double click. */
  isDone?: (row: store.SubscriptionRow) => boolean;
  /** Money is moved once for each key. */
  operation?: { call: 'paySubscription' | 'refundSubscription'; operationId: string };
};

async function isRepeated(tx: DbTransaction, { actor, id, operation }: OwnChange): Promise<boolean> {
  if (!operation) return false;
  const { call, operationId } = operation;
  const key = { actorId: actor.userId, operationId, requestHash: hashRequest({ call, id }), subjectId: id };
  return (await claimIdempotencyKey(tx, key)) !== undefined;
}

/** Runs `change` on the fan's own current subscription. Throws NOT_FOUND, CONFLICT if it has ended. */
async function changeOwn(ctx: Context, own: OwnChange): Promise<Subscription> {
  const { actor, id, change, isDone } = own;
  await ctx.db.transaction(async (tx) => {
    const isKnown = await isRepeated(tx, own);
    const row = await lockOwnSubscription(tx, actor.userId, id);
    if (isKnown || isDone?.(row)) return;
    if (row.ended_at) throw new AppError('CONFLICT', { message: texts.subscriptionEnded });
    await change(tx, row, ctx.clock.now());
    await tx.emit('subscription.changed', toSubscriptionEvent(row));
  });
  return present(ctx, id);
}

export async function listCurrentSubscriptions(
  ctx: Context,
  actor: Fan,
): Promise<ResponseInputOf<typeof contract.listSubscriptions>> {
  const rows = await store.listCurrent(ctx.db, actor.userId);
  return presentCurrent(rows, ctx.clock.now(), await loadSubscriptionSettings(ctx.db));
}

export async function listEndedSubscriptions(
  ctx: Context,
  actor: Fan,
  { limit, offset }: { limit: number; offset: string },
): Promise<ResponseInputOf<typeof contract.listEndedSubscriptions>> {
  const [rows, totalCount, settings] = await Promise.all([
    store.listEnded(ctx.db, actor.userId, { ...parseIdOffset(offset), limit: limit + 1 }),
    store.countEnded(ctx.db, actor.userId),
    loadSubscriptionSettings(ctx.db),
  ]);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    data: shown.map((row) => presentSubscription(row, ctx.clock.now(), settings)),
    limit,
    totalCount,
    ...(rows.length > limit && last ? { nextOffset: toCursor(last.id) } : {}),
  };
}

/** Idempotent. A free or unpaid subscription ends at once. Throws NOT_FOUND, CONFLICT if it has ended otherwise. */
export function cancelSubscription(ctx: Context, actor: Fan, id: string): Promise<Subscription> {
  return changeOwn(ctx, {
    actor,
    id,
    isDone: (row) => row.end_reason === 'canceled',
    change: async (tx, row, at) => {
      const isPaid = row.paid_until !== null && row.paid_until > at;
      if (!isPaid) return endSubscription(tx, row, { reason: 'canceled', at });
      if (!row.is_renewing) return;
      const canceled = {
        is_renewing: false,
        canceled_at: at,
        due_at: row.paid_until,
        next_charge_at: null,
        failed_attempts: 0,
        failed_at: null,
      };
      await store.updateSubscription(tx, id, canceled);
      if (row.recurring_payment_id !== null) await cancelRecurringPayment(tx, row.recurring_payment_id, at);
      await grantSubscription(tx, { ...row, is_renewing: false }, at);
    },
  });
}

/** Throws CONFLICT if the subscription could not be charged whatever the balance is. */
async function requireRenewable(ctx: Context, tx: DbTransaction, row: store.SubscriptionRow, at: Date): Promise<void> {
  if (await findObstacle(ctx, tx, row, at)) throw new AppError('CONFLICT', { message: texts.cannotRenew });
}

/**
 * Turns renewals on again. The balance pays them, because a canceled card is not charged again. Idempotent. Throws NOT_FOUND, CONFLICT if it has ended
 * or cannot be renewed.
 */
export function resumeSubscription(ctx: Context, actor: Fan, id: string): Promise<Subscription> {
  return changeOwn(ctx, {
    actor,
    id,
    change: async (tx, row, at) => {
      if (row.is_renewing || row.paid_until === null) return;
      if (row.paid_until <= at) throw new AppError('CONFLICT', { message: texts.subscriptionEnded });
      const resumed = { is_renewing: true, canceled_at: null, due_at: row.paid_until };
      await requireRenewable(ctx, tx, { ...row, ...resumed }, at);
      if (row.payment_source === 'card') await switchToBalance(tx, row, at);
      await store.updateSubscription(tx, id, resumed);
      await grantSubscription(tx, { ...row, ...resumed }, at);
    },
  });
}

/** Stops the charges of the card. Later periods follow the calendar from the end of the last period that the card paid. */
async function switchToBalance(
  tx: DbTransaction,
  row: store.SubscriptionRow,
  at: Date,
): Promise<store.SubscriptionRow> {
  if (row.recurring_payment_id === null || !row.paid_until) return row;
  const changes = {
    payment_source: 'balance' as const,
    recurring_payment_id: null,
    next_charge_at: null,
    anchor_at: row.paid_until,
    anchor_period: row.period_number,
  };
  await store.updateSubscription(tx, row.id, changes);
  await cancelRecurringPayment(tx, row.recurring_payment_id, at);
  return { ...row, ...changes };
}

/**
 * Pays a failed renewal. The balance replaces a declined card, also for later periods. The same operation id pays once. Throws
 * NOT_FOUND, CONFLICT if no payment has failed or the subscription cannot be renewed, INSUFFICIENT_FUNDS, FORBIDDEN (spending
 * blocked, or over a limit).
 */
export async function paySubscription(
  ctx: Context,
  actor: Fan,
  id: string,
  operationId: string,
): Promise<ResponseInputOf<typeof contract.paySubscription>> {
  const subscription = await changeOwn(ctx, {
    actor,
    id,
    operation: { call: 'paySubscription', operationId },
    change: async (tx, row, at) => {
      if (row.failed_attempts === 0) throw new AppError('CONFLICT', { message: texts.nothingToPay });
      await requireRenewable(ctx, tx, row, at);
      await renewSubscription(ctx, tx, row.payment_source === 'card' ? await switchToBalance(tx, row, at) : row);
    },
  });
  return { subscription, ...toDepositBalance(await getWalletBalance(ctx.db, actor.userId)) };
}

/** Throws NOT_FOUND, CONFLICT if the new price is another one than the fan saw. */
export function acceptPrice(ctx: Context, actor: Fan, id: string, price: number): Promise<Subscription> {
  return changeOwn(ctx, {
    actor,
    id,
    change: async (tx, row) => {
      const priceCents = toCents(price);
      const isAccepted = priceCents === (row.agreed_price_cents ?? row.price_cents);
      if (row.new_price_cents === null && isAccepted) return;
      if (row.new_price_cents !== priceCents) throw new AppError('CONFLICT', { message: texts.termsChanged });
      await store.updateSubscription(tx, id, {
        agreed_price_cents: row.new_price_cents,
        agreed_price_from: row.new_price_from,
        new_price_cents: null,
        new_price_from: null,
      });
    },
  });
}

/**
 * Throws NOT_FOUND, CONFLICT if the time for a refund is over, the charge was refunded or something was opened since. The same
 * operation id refunds once.
 */
export async function refundSubscription(
  ctx: Context,
  actor: Fan,
  id: string,
  operationId: string,
): Promise<ResponseInputOf<typeof contract.refundSubscription>> {
  const subscription = await changeOwn(ctx, {
    actor,
    id,
    operation: { call: 'refundSubscription', operationId },
    change: async (tx, row, at) => {
      // The lock on the row makes markOpened wait, so that what it marked before is seen here.
      const period = await store.findPeriod(tx, id, row.period_number);
      const refundEnd = period && getRefundEnd({ ...row, ...period }, await loadSubscriptionSettings(tx));
      if (!period || !refundEnd || refundEnd <= at || period.refunded_cents > 0)
        throw new AppError('CONFLICT', { message: texts.notRefundable });
      const refund = async () => {
        const { grossCents } = await refundSale(tx, {
          saleId: period.sale_id,
          actorId: actor.userId,
          operationId: createId(ctx.clock),
          reason: texts.refundReason,
          at,
        });
        await store.setRefunded(tx, period.id, grossCents);
        return grossCents;
      };
      await endSubscription(tx, row, { reason: 'refunded', at, refund });
    },
  });
  return { subscription, ...toDepositBalance(await getWalletBalance(ctx.db, actor.userId)) };
}
