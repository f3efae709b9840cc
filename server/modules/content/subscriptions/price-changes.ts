/** New prices of a tier for those who already subscribe to it. */
import { toCents } from '@stagedoor/contract/shared/money.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import { isFree } from '../entitlements/index.ts';
import { findOfferedTier } from '../subscription-tiers/index.ts';
import { toSubscriptionEvent } from './events.ts';
import { changeNextRunning } from './running.ts';
import * as store from './store.ts';

const NOTICE_DAYS = 30;
const DAY_MS = 24 * 60 * 60_000;

/** The first renewal that is late enough for the fan to have known the price in time. */
async function getFirstRenewalAfterNotice(tx: DbTransaction, row: store.SubscriptionRow, now: Date): Promise<Date> {
  const earliest = new Date(now.getTime() + NOTICE_DAYS * DAY_MS);
  for (let number = row.period_number; ; number += 1) {
    const boundary = await store.getBoundary(tx, row, number);
    if (boundary >= earliest) return boundary;
  }
}

/** What the subscription's billing period costs now, or undefined if it is not offered any more. */
async function findOfferedCents(tx: DbTransaction, row: store.SubscriptionRow): Promise<number | undefined> {
  const tier = await findOfferedTier(tx, row.tier_id);
  const option = tier?.options.find(
    ({ recurrence, count }) => recurrence === row.recurrence && count === row.recurrence_count,
  );
  return option && toCents(option.price);
}

const NO_NEW_PRICE = { new_price_cents: null, new_price_from: null } as const;
const NO_AGREED_PRICE = { agreed_price_cents: null, agreed_price_from: null } as const;

async function getPriceChange(
  tx: DbTransaction,
  row: store.SubscriptionRow,
  now: Date,
): Promise<Parameters<typeof store.updateSubscription>[2] | undefined> {
  const offeredCents = (await findOfferedCents(tx, row)) ?? row.price_cents;
  const acceptedCents = row.agreed_price_cents ?? row.price_cents;
  if (offeredCents <= row.price_cents && offeredCents < acceptedCents)
    return { ...NO_NEW_PRICE, ...NO_AGREED_PRICE, price_cents: offeredCents };
  if (offeredCents < acceptedCents) return { ...NO_NEW_PRICE, agreed_price_cents: offeredCents };
  if (offeredCents === acceptedCents) return row.new_price_cents === null ? undefined : NO_NEW_PRICE;
  if (offeredCents === row.new_price_cents) return undefined;
  return { new_price_cents: offeredCents, new_price_from: await getFirstRenewalAfterNotice(tx, row, now) };
}

/** Compares with the current offer, so that repeating it changes nothing. */
async function applyCurrentPrice(ctx: Context, tx: DbTransaction, row: store.SubscriptionRow): Promise<void> {
  // A card is charged the price that the fan agreed to at the processor.
  if (isFree(row.price_cents) || !row.paid_until || row.payment_source === 'card') return;
  const now = ctx.clock.now();
  const change = await getPriceChange(tx, row, now);
  if (!change) return;
  await store.updateSubscription(tx, row.id, change);
  const event = toSubscriptionEvent(row);
  await tx.emit('subscription.changed', event);
  const newPriceCents = change.new_price_cents ?? change.agreed_price_cents ?? change.price_cents ?? row.price_cents;
  // A canceled subscription has no renewals that could cost something.
  if (!row.is_renewing) return;
  await tx.emit('subscription.repriced', {
    ...event,
    priceCents: row.price_cents,
    newPriceCents,
    from: (change.new_price_from ?? row.agreed_price_from ?? row.due_at ?? row.paid_until).toISOString(),
  });
}

/** Applies the current prices of a tier to the next of its subscriptions. Returns the cursor, or null at the end. */
export function applyTierPrices(ctx: Context, tierId: string, after: string | null): Promise<string | null> {
  return changeNextRunning(ctx, { side: 'tier', ownerId: tierId, after }, (tx, row) => applyCurrentPrice(ctx, tx, row));
}
