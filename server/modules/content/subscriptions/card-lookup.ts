/**
 * A renewal by card that no webhook has reported. The processor is queried before access ends, because the webhook may be lost
 * while the card was charged.
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
/** How long after the grace access continues: while an operator finds a lost webhook, or the processor is unreachable. */
const EXTRA_HOURS: Readonly<Record<RenewalLookup, number>> = { paid: 7 * 24, unknown: 24, unpaid: 0 };

/** When a renewal that has not come is looked up at the processor. */
export function getLookupTime(paidUntil: Date, settings: SubscriptionSettings): Date {
  const aheadHours = Math.min(LOOKUP_HOURS_AHEAD, settings.graceHours / 2);
  return new Date(getGraceEnd(paidUntil, settings).getTime() - aheadHours * HOUR_MS);
}

/** Also repeats the lookup if the answer never comes. */
export async function lookUpMissingRenewal(
  ctx: Context,
  tx: DbTransaction,
  { id, recurring_payment_id: paymentId }: store.SubscriptionRow,
): Promise<void> {
  if (paymentId === null) return;
  await store.updateSubscription(tx, id, { due_at: new Date(ctx.clock.now().getTime() + REPEAT_MS) });
  await requestRenewalLookup(ctx, tx, paymentId);
}

/** The answer of the processor. Does nothing if the renewal has come meanwhile. */
export async function settleMissingRenewal(
  ctx: Context,
  tx: DbTransaction,
  row: store.SubscriptionRow,
  answer: RenewalLookup,
): Promise<void> {
  const settings = await loadSubscriptionSettings(tx);
  const at = ctx.clock.now();
  if (!row.is_renewing || !row.paid_until || at < getLookupTime(row.paid_until, settings)) return;
  const graceEnd = getGraceEnd(row.paid_until, settings);
  const endsAt = new Date(graceEnd.getTime() + EXTRA_HOURS[answer] * HOUR_MS);
  if (endsAt <= at) return endSubscription(tx, row, { reason: 'unpaid', at });
  const againAt = new Date(at.getTime() + REPEAT_MS);
  const isRepeated = answer !== 'unpaid' && againAt < endsAt;
  await store.updateSubscription(tx, row.id, { due_at: isRepeated ? againAt : endsAt });
  await grantSubscription(tx, row, at, endsAt);
}
