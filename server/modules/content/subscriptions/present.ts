import type { SubscriptionSettings } from '@stagedoor/contract/admin/subscription-settings.ts';
import { getCardPeriodDays } from '@stagedoor/contract/content/card-prices.ts';
import { calculateDiscountedCents } from '@stagedoor/contract/content/offer-prices.ts';
import type { listSubscriptions, Subscription, SubscriptionState } from '@stagedoor/contract/content/subscriptions.ts';
import { asCents, toUsd } from '@stagedoor/contract/shared/money.ts';
import type { ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import { toAvatarUrl } from '../../identity/accounts/index.ts';
import { isFree } from '../entitlements/index.ts';
import { isGiftPeriod } from './gift-periods.ts';
import { getGraceEnd } from './grants.ts';
import { getChargedCents, getPriceAt } from './prices.ts';
import type { CurrentSubscriptionView, SubscriptionView } from './store.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
/** Periods of each recurrence in a year. */
const PER_YEAR = { weekly: 52, monthaly: 12, yearly: 1 } as const;

type StateRow = Pick<SubscriptionView, 'ended_at' | 'failed_attempts' | 'period_number' | 'price_cents'>;
export function getState(row: StateRow): SubscriptionState {
  if (row.ended_at) return 'ended';
  if (row.failed_attempts > 0) return 'pastDue';
  return row.period_number === 0 && !isFree(row.price_cents) ? 'trial' : 'active';
}

/** Until when the last charge can be refunded, or undefined. */
export function getRefundEnd(
  row: Pick<SubscriptionView, 'charged_at' | 'opened_at' | 'ended_at' | 'payer_id' | 'period_number'>,
  { refundHours }: SubscriptionSettings,
): Date | undefined {
  if (!row.charged_at || row.opened_at || row.ended_at || isGiftPeriod(row)) return undefined;
  return new Date(row.charged_at.getTime() + refundHours * HOUR_MS);
}

type Charged = Pick<SubscriptionView, 'payment_source' | 'recurrence' | 'recurrence_count'>;
const getCardDays = ({ payment_source: source, recurrence, recurrence_count: count }: Charged) =>
  source === 'card' ? getCardPeriodDays({ recurrence, count }) : null;
const toChargedUsd = (row: Charged, cents: number) => toUsd(asCents(getChargedCents(row, cents)));

function presentDiscount(row: SubscriptionView): Subscription['discount'] {
  const { discount_percent: percentOff, discount_periods_left: periodsLeft } = row;
  return percentOff !== null && periodsLeft ? { percentOff, periodsLeft } : null;
}

export function presentSubscription(row: SubscriptionView, now: Date, settings: SubscriptionSettings): Subscription {
  const { paid_until: paidUntil, new_price_cents: newPriceCents, new_price_from: newPriceFrom } = row;
  const state = getState(row);
  const refundEnd = getRefundEnd(row, settings);
  // At due_at the job does not charge a card, it looks up a renewal that was not reported.
  const chargeAt = row.payment_source === 'card' ? row.next_charge_at : row.due_at;
  const willCharge = row.is_renewing && chargeAt && !(newPriceFrom && newPriceFrom <= chargeAt);
  return {
    id: row.id,
    creator: {
      id: row.creator_id,
      username: row.username,
      name: row.name,
      avatarUrl: toAvatarUrl(row.avatar_key),
    },
    tier: { id: row.tier_id, name: row.tier_name },
    recurrence: row.recurrence,
    count: row.recurrence_count,
    isFree: isFree(row.price_cents),
    paymentSource: row.payment_source,
    cardPeriodDays: getCardDays(row),
    price: toUsd(row.price_cents),
    discount: presentDiscount(row),
    state,
    isRenewing: row.is_renewing,
    startedAt: row.started_at.toISOString(),
    paidUntil: paidUntil?.toISOString() ?? null,
    nextCharge: willCharge
      ? { at: chargeAt.toISOString(), amount: toChargedUsd(row, getPriceAt(row, paidUntil ?? chargeAt)) }
      : null,
    gift:
      isGiftPeriod(row) && row.payer_username !== null
        ? { username: row.payer_username, name: row.payer_name ?? row.payer_username }
        : null,
    newPrice:
      newPriceCents !== null && newPriceFrom ? { price: toUsd(newPriceCents), from: newPriceFrom.toISOString() } : null,
    failure:
      state === 'pastDue' && paidUntil
        ? {
            amount: toChargedUsd(row, getPriceAt(row, paidUntil)),
            nextAttemptAt: chargeAt?.toISOString() ?? null,
            endsAt: getGraceEnd(paidUntil, settings).toISOString(),
          }
        : null,
    refundableUntil: refundEnd && refundEnd > now ? refundEnd.toISOString() : null,
    endedAt: row.ended_at?.toISOString() ?? null,
    endReason: row.end_reason,
  };
}

const needsAnswer = ({ failure, newPrice }: Subscription) => failure !== null || newPrice !== null;

/** Of one subscription, until `end`. A price that is not accepted stops the renewals. */
function sumChargesUntil(end: Date, row: CurrentSubscriptionView): number {
  const { due_at: dueAt, is_renewing: isRenewing, new_price_from: newPriceFrom } = row;
  if (!isRenewing || !dueAt) return 0;
  const days = getCardDays(row);
  if (days !== null) {
    const untilEnd = row.next_charge_at ? end.getTime() - row.next_charge_at.getTime() : -1;
    const count = untilEnd < 0 ? 0 : 1 + Math.floor(untilEnd / (days * DAY_MS));
    return count * getChargedCents(row, row.price_cents);
  }
  const charges = [dueAt, ...row.later_charges].filter((at) => at <= end && !(newPriceFrom && newPriceFrom <= at));
  return charges.reduce((sum, at, index) => sum + getPriceAt(row, at, index), 0);
}

/** What the charges of the next year cost. A month costs what it would at the price of the next charge. */
function calculateSums(row: CurrentSubscriptionView): { perYearCents: number; perMonthCents: number } {
  const days = getCardDays(row);
  if (days !== null) {
    const perYearCents = (getChargedCents(row, row.price_cents) * 365) / days;
    return { perYearCents, perMonthCents: perYearCents / 12 };
  }
  const { price_cents: fullCents, discount_percent: percentOff, discount_periods_left: left } = row;
  const chargesPerYear = PER_YEAR[row.recurrence] / row.recurrence_count;
  const savedCents = percentOff === null ? 0 : fullCents - calculateDiscountedCents(fullCents, percentOff);
  const discounted = Math.min(left ?? 0, chargesPerYear);
  return {
    perYearCents: fullCents * chargesPerYear - savedCents * discounted,
    perMonthCents: ((discounted > 0 ? fullCents - savedCents : fullCents) * chargesPerYear) / 12,
  };
}

/** Subscriptions that need an answer come first. Within both groups the order is the same as before. */
export function presentCurrent(
  rows: readonly CurrentSubscriptionView[],
  now: Date,
  settings: SubscriptionSettings,
): ResponseInputOf<typeof listSubscriptions> {
  const all = rows.map((row) => presentSubscription(row, now, settings));
  const renewing = rows.filter((row) => row.is_renewing);
  const sums = renewing.map(calculateSums);
  const perYearCents = Math.round(sums.reduce((sum, one) => sum + one.perYearCents, 0));
  const perMonthCents = Math.round(sums.reduce((sum, one) => sum + one.perMonthCents, 0));
  const soon = new Date(now.getTime() + 30 * DAY_MS);
  const next30Cents = rows.reduce((sum, row) => sum + sumChargesUntil(soon, row), 0);
  return {
    data: [...all.filter(needsAnswer), ...all.filter((one) => !needsAnswer(one))],
    perMonth: toUsd(asCents(perMonthCents)),
    perYear: toUsd(asCents(perYearCents)),
    next30Days: toUsd(asCents(next30Cents)),
  };
}
