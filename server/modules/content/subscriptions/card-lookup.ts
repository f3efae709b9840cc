/**
 * Renewals by card that no webhook has reported. The processor is queried before access ends, because it may have charged the
 * card although the webhook was lost.
 */
import type { SubscriptionSettings } from '@stagedoor/contract/admin/subscription-settings.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import { type RenewalLookup, requestRenewalLookup } from '../../commerce/deposits/index.ts';
import { loadSubscriptionSettings } from '../subscription-tiers/index.ts';
import { endSubscription } from './endings.ts';
import { getGraceEnd, grantSubscription } from './grants.ts';
import * as store from './store.ts';

const HOUR_MS = 60 * 60_000;
/** Enough for several attempts before access ends. */
const LOOKUP_HOURS_AHEAD = 6;
const REPEAT_MS = HOUR_MS;
/** How long access continues after the grace period: an operator resends a lost webhook, or the processor is unreachable. */
const EXTRA_HOURS: Readonly<Record<RenewalLookup, number>> = { paid: 7 * 24, unknown: 24, unpaid: 0 };

/** Returns when a renewal that was not reported is looked up at the processor. */
export function getLookupTime(paidUntil: Date, settings: SubscriptionSettings): Date {
  const aheadHours = Math.min(LOOKUP_HOURS_AHEAD, settings.graceHours / 2);
  return new Date(getGraceEnd(paidUntil, settings).getTime() - aheadHours * HOUR_MS);
}

/** Requests a look-up. The job requests it again after an hour if there is no result. */
export async function lookUpMissingRenewal(
  ctx: Context,
  tx: DbTransaction,
  { id, recurring_payment_id: paymentId }: store.SubscriptionRow,
): Promise<void> {
  if (paymentId === null) return;
  await store.updateSubscription(tx, id, { due_at: new Date(ctx.clock.now().getTime() + REPEAT_MS) });
  await requestRenewalLookup(ctx, tx, paymentId);
}

/** Applies the result of the look-up. Does nothing if the renewal was reported meanwhile. */
export async function settleMissingRenewal(
  ctx: Context,
  tx: DbTransaction,
  row: store.SubscriptionRow,
  result: RenewalLookup,
): Promise<void> {
  const settings = await loadSubscriptionSettings(tx);
  const at = ctx.clock.now();
  if (!row.is_renewing || !row.paid_until || at < getLookupTime(row.paid_until, settings)) return;
  const graceEnd = getGraceEnd(row.paid_until, settings);
  const endsAt = new Date(graceEnd.getTime() + EXTRA_HOURS[result] * HOUR_MS);
  if (endsAt <= at) return endSubscription(tx, row, { reason: 'unpaid', at });
  const againAt = new Date(at.getTime() + REPEAT_MS);
  const isRepeated = result !== 'unpaid' && againAt < endsAt;
  await store.updateSubscription(tx, row.id, { due_at: isRepeated ? againAt : endsAt });
  await grantSubscription(tx, row, at, endsAt);
}
