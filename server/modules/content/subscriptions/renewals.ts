/**
 * Renewals: each due subscription is charged, retried or ended in a transaction of its own, so that one refusal delays no
 * other. A period is charged once, whatever runs twice (period-ids.ts).
 */

import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { RENEWAL_RETRY_HOURS } from '@stagedoor/contract/shared/limits.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import { requireSellerEligible } from '../../commerce/sales/index.ts';
import { isBlockedPair } from '../../identity/blocks/index.ts';
import { findRenewableTier } from '../subscription-tiers/index.ts';
import { chargePeriod } from './charge.ts';
import { endSubscription } from './endings.ts';
import './events.ts';
import { getGraceEnd, grantSubscription } from './grants.ts';
import * as store from './store.ts';
import * as texts from './texts.ts';

const HOUR_MS = 60 * 60_000;
const BATCH = 100;

type NextPeriod = { number: number; startsAt: Date; endsAt: Date };

/**
 * Usually the period after the current one. If renewals did not run for so long that access has ended, the periods in
 * between are skipped, so that no fan pays for a time without access.
 */
async function getNextPeriod(tx: DbTransaction, row: store.SubscriptionRow, now: Date): Promise<NextPeriod> {
  let number = row.period_number + 1;
  let startsAt = row.paid_until ?? now;
  let endsAt = await store.getBoundary(tx, row, number);
  if (now <= getGraceEnd(startsAt)) return { number, startsAt, endsAt };
  while (endsAt <= now) {
    number += 1;
    startsAt = endsAt;
    endsAt = await store.getBoundary(tx, row, number);
  }
  return { number, startsAt, endsAt };
}

/** Why it cannot renew, whatever the fan's balance is. */
async function findObstacle(ctx: Context, tx: DbTransaction, row: store.SubscriptionRow, now: Date) {
  if (row.canceled_at) return 'canceled';
  if (!(await findRenewableTier(tx, row.tier_id))) return 'tierDeleted';
  if (!row.is_renewing) return 'canceled';
  if (row.new_price_from && row.new_price_from <= now) return 'priceChange';
  if (await isBlockedPair(tx, row.fan_id, row.creator_id)) return 'blocked';
  try {
    await requireSellerEligible(ctx, tx, row.creator_id, { subject: texts.subscriptions });
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_VERIFIED') return 'creatorUnavailable';
    throw error;
  }
  return undefined;
}

/** Charges the next period. The caller holds the lock on the row. Throws what {@link chargePeriod} throws. */
export async function renewSubscription(ctx: Context, tx: DbTransaction, row: store.SubscriptionRow): Promise<void> {
  const at = ctx.clock.now();
  const next = await getNextPeriod(tx, row, at);
  await chargePeriod(tx, row, { ...next, priceCents: row.price_cents, at });
  await store.updateSubscription(tx, row.id, {
    period_number: next.number,
    paid_until: next.endsAt,
    due_at: next.endsAt,
    failed_attempts: 0,
    failed_at: null,
  });
  await grantSubscription(tx, { ...row, paid_until: next.endsAt }, at);
  const event = { subscriptionId: row.id, fanId: row.fan_id, creatorId: row.creator_id };
  await tx.emit('subscription.renewed', { ...event, priceCents: row.price_cents });
  await tx.emit('subscription.changed', event);
}

/** Returns the refusal of the charge, or undefined. */
async function renewDue(ctx: Context, id: string): Promise<AppError | undefined> {
  try {
    await ctx.db.transaction(async (tx) => {
      const now = ctx.clock.now();
      const row = await store.lockDue(tx, id, now);
      if (!row) return;
      const reason = await findObstacle(ctx, tx, row, now);
      if (reason) return endSubscription(tx, row, { reason, at: now });
      await renewSubscription(ctx, tx, row);
    });
    return undefined;
  } catch (error) {
    if (error instanceof AppError && (error.code === 'INSUFFICIENT_FUNDS' || error.code === 'FORBIDDEN')) return error;
    throw error;
  }
}

/** After the last attempt the subscription ends. */
async function recordFailure(ctx: Context, id: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const at = ctx.clock.now();
    const row = await store.lockDue(tx, id, at);
    if (!row?.paid_until || !row.is_renewing) return;
    const hours = RENEWAL_RETRY_HOURS[row.failed_attempts];
    const retryAt = hours === undefined ? undefined : new Date(row.paid_until.getTime() + hours * HOUR_MS);
    if (!retryAt || getGraceEnd(row.paid_until) <= at) return endSubscription(tx, row, { reason: 'unpaid', at });
    await store.updateSubscription(tx, id, {
      due_at: retryAt > at ? retryAt : getGraceEnd(row.paid_until),
      failed_attempts: row.failed_attempts + 1,
      failed_at: at,
    });
    const event = { subscriptionId: id, fanId: row.fan_id, creatorId: row.creator_id };
    const nextAttemptAt = (retryAt > at ? retryAt : getGraceEnd(row.paid_until)).toISOString();
    await tx.emit('subscription.renewalFailed', { ...event, priceCents: row.price_cents, nextAttemptAt });
    await tx.emit('subscription.changed', event);
  });
}

/** Handles what is due now. Returns how many subscriptions it looked at. Safe to run in several processes at once. */
export async function renewDueSubscriptions(ctx: Context, signal?: AbortSignal): Promise<number> {
  let count = 0;
  for (;;) {
    const ids = await store.listDueIds(ctx.db, ctx.clock.now(), BATCH);
    let handled = 0;
    for (const id of ids) {
      if (signal?.aborted) return count;
      const refusal = await renewDue(ctx, id);
      if (refusal) await recordFailure(ctx, id);
      handled += 1;
    }
    count += handled;
    if (ids.length < BATCH) return count;
  }
}
