import { getCardPrice } from '@stagedoor/contract/content/card-prices.ts';
import { calculateDiscountedCents } from '@stagedoor/contract/content/offer-prices.ts';
import { asCents, toCents, toUsd } from '@stagedoor/contract/shared/money.ts';
import type { SubscriptionRow } from './store.ts';

type PricedSubscription = Pick<SubscriptionRow, 'price_cents' | 'agreed_price_cents' | 'agreed_price_from'>;
type Discount = Pick<SubscriptionRow, 'discount_percent' | 'discount_periods_left'>;

/** What a period that starts then costs without a discount, by the price that the fan has accepted. In cents. */
export function getFullPriceAt(row: PricedSubscription, startsAt: Date): number {
  const { agreed_price_cents: agreedCents, agreed_price_from: agreedFrom } = row;
  return agreedCents !== null && agreedFrom && agreedFrom <= startsAt ? agreedCents : row.price_cents;
}

/** What the fan pays for a price. A card is charged the price and the fee of a deposit. In cents. */
export function getChargedCents(
  { payment_source: source }: Pick<SubscriptionRow, 'payment_source'>,
  priceCents: number,
): number {
  return source === 'card' ? toCents(getCardPrice(toUsd(asCents(priceCents)))) : priceCents;
}

/** What a period that starts then costs with its discount. `chargesBefore` are charges that are due before it. In cents. */
export function getPriceAt(row: PricedSubscription & Discount, startsAt: Date, chargesBefore = 0): number {
  const fullCents = getFullPriceAt(row, startsAt);
  const { discount_percent: percentOff, discount_periods_left: periodsLeft } = row;
  const isDiscounted = percentOff !== null && (periodsLeft ?? 0) > chargesBefore;
  return isDiscounted ? calculateDiscountedCents(fullCents, percentOff) : fullCents;
}

/** What is left of the discount after a charge. The first charge at the full price removes it. */
export function getDiscountAfterCharge({
  discount_percent: percentOff,
  discount_periods_left: left,
}: Discount): Discount {
  if (percentOff === null || !left) return { discount_percent: null, discount_periods_left: null };
  return { discount_percent: percentOff, discount_periods_left: left - 1 };
}
