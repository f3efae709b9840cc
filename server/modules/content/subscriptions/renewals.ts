/**
 * Renewals: each due subscription is charged, retried or ended in a transaction of its own, so that one refusal delays no
 * other. A period is charged once, even if a job runs twice (period-ids.ts). The processor charges cards (card-payments.ts), and a
 * missing charge is looked up there (card-lookup.ts).
 */

import { listRetryHours, type SubscriptionSettings } from '@stagedoor/contract/admin/subscription-settings.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { Context } from '../../../platform/context.ts';
import { type DbTransaction, isDatabaseUnavailable } from '../../../platform/database/db.ts';
import { pauseBetweenBatches } from '../../../platform/jobs/batch-throttle.ts';
import { loadSubscriptionSettings } from '../subscription-tiers/index.ts';
import { lookUpMissingRenewal } from './card-lookup.ts';
import { chargePeriod } from './charge.ts';
import { endSubscription } from './endings.ts';
import { toSubscriptionEvent } from './events.ts';
import { getGraceEnd, grantSubscription } from './grants.ts';
import { findObstacle } from './obstacles.ts';
import { isWaived } from './pauses.ts';
import { getDiscountAfterCharge, getFullPriceAt, getPriceAt } from './prices.ts';
import * as store from './store.ts';

const HOUR_MS = 60 * 60_000;
const BATCH = 100;

type NextPeriod = { number: number; startsAt: Date; endsAt: Date };

/**
 * Usually the period after the current one. If renewals did not run for so long that access has ended, the periods in
 * between are skipped, so that the fan is charged once, for the period that contains now.
 */
async function getNextPeriod(tx: DbTransaction, row: store.SubscriptionRow, now: Date): Promise<NextPeriod> {
  let number = row.period_number + 1;
  let startsAt = row.paid_until ?? now;
  let endsAt = await store.getBoundary(tx, row, number);
  if (now <= getGraceEnd(startsAt, await loadSubscriptionSettings(tx))) return { number, startsAt, endsAt };
  while (endsAt <= now) {
    number += 1;
    startsAt = endsAt;
    endsAt = await store.getBoundary(tx, row, number);
  }
  return { number, startsAt, endsAt };
}

/** Makes the next period free. Like a trial, it has no row in subscription_periods, because nothing was sold. */
async function waivePeriod(tx: DbTransaction, row: store.SubscriptionRow, next: NextPeriod, at: Date): Promise<void> {
  const period = { period_number: next.number, paid_until: next.endsAt, due_at: next.endsAt };
  await store.updateSubscription(tx, row.id, period);
  await grantSubscription(tx, { ...row, ...period }, at);
  const event = toSubscriptionEvent(row);
  await tx.emit('subscription.waived', { ...event, until: next.endsAt.toISOString() });
  await tx.emit('subscription.changed', event);
}

/**
 * Charges the next period, unless an operator waived it. The caller holds the lock on the row. Throws what {@link chargePeriod}
 * throws.
 */
export async function renewSubscription(
  ctx: Pick<Context, 'clock'>,
  tx: DbTransaction,
  row: store.SubscriptionRow,
): Promise<void> {
  const at = ctx.clock.now();
  const next = await getNextPeriod(tx, row, at);
  if (row.failed_attempts === 0 && row.paid_until && (await isWaived(tx, row.paid_until)))
    return waivePeriod(tx, row, next, at);
  const fullCents = getFullPriceAt(row, next.startsAt);
  const priceCents = getPriceAt(row, next.startsAt);
  await chargePeriod(tx, row, { ...next, priceCents, at });
  await store.updateSubscription(tx, row.id, {
    period_number: next.number,
    paid_until: next.endsAt,
    due_at: next.endsAt,
    failed_attempts: 0,
    failed_at: null,
    ...getDiscountAfterCharge(row),
    ...(fullCents === row.agreed_price_cents && {
      price_cents: fullCents,
      agreed_price_cents: null,
      agreed_price_from: null,
    }),
  });
  await grantSubscription(tx, { ...row, paid_until: next.endsAt }, at);
  const event = toSubscriptionEvent(row);
  await tx.emit('subscription.renewed', { ...event, priceCents });
  await tx.emit('subscription.changed', event);
}

/** Returns false if the fan could not be charged. */
async function renewDue(ctx: Context, id: string): Promise<boolean> {
  try {
    await ctx.db.transaction(async (tx) => {
      const now = ctx.clock.now();
      const row = await store.lockDue(tx, id, now);
      if (!row) return;
      const reason = await findObstacle(ctx, tx, row, now);
      if (reason) await endSubscription(tx, row, { reason, at: now });
      else if (row.payment_source === 'card') await lookUpMissingRenewal(ctx, tx, row);
      else await renewSubscription(ctx, tx, row);
    });
    return true;
  } catch (error) {
    // Any refusal counts as a failed attempt. Otherwise a fan who provokes refusals would keep access without paying.
    if (error instanceof AppError) return false;
    throw error;
  }
}

/** The next attempt after a failed one, or undefined after the last. Attempts that were missed are not made up for. */
function findRetryTime(paidUntil: Date, now: Date, settings: SubscriptionSettings): Date | undefined {
  const times = listRetryHours(settings).map((hours) => new Date(paidUntil.getTime() + hours * HOUR_MS));
  return times.find((at) => at > now);
}

/** After the last attempt the subscription ends. */
async function recordFailure(ctx: Context, id: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const at = ctx.clock.now();
    const row = await store.lockDue(tx, id, at);
    if (!row?.paid_until || !row.is_renewing || row.payment_source === 'card') return;
    const retryAt = findRetryTime(row.paid_until, at, await loadSubscriptionSettings(tx));
    if (!retryAt) return endSubscription(tx, row, { reason: 'unpaid', at });
    const attempts = { failed_attempts: row.failed_attempts + 1, failed_at: at };
    await store.updateSubscription(tx, id, { ...attempts, due_at: retryAt });
    // The operator may have changed the grace since the last charge.
    await grantSubscription(tx, row, at);
    const event = toSubscriptionEvent(row);
    const failure = { priceCents: getPriceAt(row, row.paid_until), nextAttemptAt: retryAt.toISOString() };
    await tx.emit('subscription.renewalFailed', { ...event, ...failure });
    await tx.emit('subscription.changed', event);
  });
}

async function areRenewalsPaused({ siteStatus }: Pick<Context, 'siteStatus'>): Promise<boolean> {
  return (await siteStatus.get()).disabledFeatures.subscriptions !== undefined;
}

/**
 * Handles once what is due now, and ends only canceled ones while renewals are paused. Returns how many it looked at. Safe
 * to run in several processes at once: what another one has locked is left to it. An unexpected error of one subscription
 * is logged, and the first is thrown after the others were handled. `isThrottled` pauses after each subscription, so that many
 * renewals at once do not slow down requests.
 */
export async function renewDueSubscriptions(
  ctx: Context,
  { signal, isThrottled = false }: { signal?: AbortSignal | undefined; isThrottled?: boolean } = {},
): Promise<number> {
  const at = ctx.clock.now();
  const errors: unknown[] = [];
  let count = 0;
  let after: store.DueSubscription | undefined;
  for (;;) {
    const page = { at, after, endsOnly: await areRenewalsPaused(ctx), limit: BATCH };
    const due = await store.listDue(ctx.db, page);
    for (const { id } of due) {
      if (signal?.aborted) return count;
      const startedAt = performance.now();
      try {
        if (!(await renewDue(ctx, id))) await recordFailure(ctx, id);
      } catch (error) {
        if (isDatabaseUnavailable(error)) throw error;
        ctx.log.error({ err: error, subscriptionId: id }, 'a subscription could not be renewed');
        errors.push(error);
      }
      count += 1;
      if (isThrottled) await pauseBetweenBatches(performance.now() - startedAt, signal);
    }
    after = due.at(-1);
    if (due.length < BATCH) break;
  }
  if (errors.length > 0) throw errors[0];
  return count;
}
