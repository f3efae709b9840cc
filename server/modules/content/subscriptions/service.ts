/** What fans do with their subscriptions. */
import type * as contract from '@stagedoor/contract/content/subscriptions.ts';
import type { Subscription } from '@stagedoor/contract/content/subscriptions.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { toCents, toDepositBalance } from '@stagedoor/contract/shared/money.ts';
import type { ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import { parseIdOffset, toCursor } from '../../../platform/database/pagination.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { refundSale } from '../../commerce/sales/index.ts';
import { getWalletBalance } from '../../ledger/ledger/index.ts';
import { lockOwnSubscription } from './access.ts';
import { endSubscription } from './endings.ts';
import './events.ts';
import { grantSubscription } from './grants.ts';
import { toPeriodId } from './period-ids.ts';
import { getRefundEnd, presentCurrent, presentSubscription } from './present.ts';
import { renewSubscription } from './renewals.ts';
import * as store from './store.ts';
import * as texts from './texts.ts';

async function present(ctx: Context, id: string): Promise<Subscription> {
  const view = await store.findView(ctx.db, id);
  if (!view) throw new AppError('NOT_FOUND');
  return presentSubscription(view, ctx.clock.now());
}

/** Runs `change` on the fan's own current subscription. Throws NOT_FOUND, CONFLICT if it has ended. */
async function changeOwn(
  ctx: Context,
  actor: Actor,
  id: string,
  change: (tx: DbTransaction, row: store.SubscriptionRow, at: Date) => Promise<void>,
): Promise<Subscription> {
  await ctx.db.transaction(async (tx) => {
    const row = await lockOwnSubscription(tx, actor.userId, id);
    if (row.ended_at) throw new AppError('CONFLICT', { message: texts.subscriptionEnded });
    await change(tx, row, ctx.clock.now());
    await tx.emit('subscription.changed', { subscriptionId: row.id, fanId: row.fan_id, creatorId: row.creator_id });
  });
  return present(ctx, id);
}

export async function listCurrentSubscriptions(
  ctx: Context,
  actor: Actor,
): Promise<ResponseInputOf<typeof contract.listSubscriptions>> {
  return presentCurrent(await store.listCurrent(ctx.db, actor.userId), ctx.clock.now());
}

export async function listEndedSubscriptions(
  ctx: Context,
  actor: Actor,
  { limit, offset }: { limit: number; offset: string },
): Promise<ResponseInputOf<typeof contract.listEndedSubscriptions>> {
  const [rows, totalCount] = await Promise.all([
    store.listEnded(ctx.db, actor.userId, { ...parseIdOffset(offset), limit: limit + 1 }),
    store.countEnded(ctx.db, actor.userId),
  ]);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    data: shown.map((row) => presentSubscription(row, ctx.clock.now())),
    limit,
    totalCount,
    ...(rows.length > limit && last ? { nextOffset: toCursor(last.id) } : {}),
  };
}

/** Idempotent. A free or unpaid subscription ends at once. Throws NOT_FOUND, CONFLICT if it has ended. */
export function cancelSubscription(ctx: Context, actor: Actor, id: string): Promise<Subscription> {
  return changeOwn(ctx, actor, id, async (tx, row, at) => {
    const isPaid = row.paid_until !== null && row.paid_until > at;
    if (!isPaid) return endSubscription(tx, row, { reason: 'canceled', at });
    if (!row.is_renewing) return;
    const canceled = {
      is_renewing: false,
      canceled_at: at,
      due_at: row.paid_until,
      failed_attempts: 0,
      failed_at: null,
    };
    await store.updateSubscription(tx, id, canceled);
    await grantSubscription(tx, { ...row, is_renewing: false }, at);
  });
}

/** Idempotent. Throws NOT_FOUND, CONFLICT if it has ended. */
export function resumeSubscription(ctx: Context, actor: Actor, id: string): Promise<Subscription> {
  return changeOwn(ctx, actor, id, async (tx, row, at) => {
    if (row.is_renewing || row.paid_until === null) return;
    if (row.paid_until <= at) throw new AppError('CONFLICT', { message: texts.subscriptionEnded });
    await store.updateSubscription(tx, id, { is_renewing: true, canceled_at: null, due_at: row.paid_until });
    await grantSubscription(tx, { ...row, is_renewing: true }, at);
  });
}

/** Throws NOT_FOUND, CONFLICT if no payment has failed, INSUFFICIENT_FUNDS, FORBIDDEN (spending blocked, or over a limit). */
export async function paySubscription(
  ctx: Context,
  actor: Actor,
  id: string,
): Promise<ResponseInputOf<typeof contract.paySubscription>> {
  const subscription = await changeOwn(ctx, actor, id, async (tx, row) => {
    if (row.failed_attempts === 0) throw new AppError('CONFLICT', { message: texts.nothingToPay });
    await renewSubscription(ctx, tx, row);
  });
  return { subscription, ...toDepositBalance(await getWalletBalance(ctx.db, actor.userId)) };
}

/** Throws NOT_FOUND, CONFLICT if the new price is another one than the fan saw. */
export function acceptPrice(ctx: Context, actor: Actor, id: string, price: number): Promise<Subscription> {
  return changeOwn(ctx, actor, id, async (tx, row) => {
    const priceCents = toCents(price);
    if (row.new_price_cents === null && row.price_cents === priceCents) return;
    if (row.new_price_cents !== priceCents) throw new AppError('CONFLICT', { message: texts.termsChanged });
    await store.updateSubscription(tx, id, { price_cents: priceCents, new_price_cents: null, new_price_from: null });
  });
}

/** Throws NOT_FOUND, CONFLICT if the charge is too old or something was opened since. */
export async function refundSubscription(
  ctx: Context,
  actor: Actor,
  id: string,
): Promise<ResponseInputOf<typeof contract.refundSubscription>> {
  const subscription = await changeOwn(ctx, actor, id, async (tx, row, at) => {
    const period = await store.findPeriod(tx, id, row.period_number);
    const refundEnd = period && getRefundEnd({ ...period, ended_at: row.ended_at });
    if (!period || !refundEnd || refundEnd <= at || period.refunded_cents > 0)
      throw new AppError('CONFLICT', { message: texts.notRefundable });
    const { grossCents } = await refundSale(tx, {
      saleId: period.sale_id,
      actorId: actor.userId,
      operationId: toPeriodId(id, -row.period_number),
      reason: texts.refundReason,
      at,
    });
    await store.setRefunded(tx, period.id, grossCents);
    await endSubscription(tx, row, { reason: 'refunded', at });
  });
  return { subscription, ...toDepositBalance(await getWalletBalance(ctx.db, actor.userId)) };
}
