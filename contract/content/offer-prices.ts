/** Prices with a discount. */
import { asCents, toCents, toUsd } from '../shared/money.ts';
import type { PriceLimit } from '../shared/prices.ts';

/** A price with a discount, in cents. Half a cent is rounded up. */
export const calculateDiscountedCents = (cents: number, percentOff: number): number =>
  Math.round((cents * (100 - percentOff)) / 100);

/** In USD. */
export function getDiscountedPrice(price: number, percentOff: number): number {
  return toUsd(asCents(calculateDiscountedCents(toCents(price), percentOff)));
}

/** Whether the discounted price is at least the lowest price that operators allow. Otherwise the period costs its full price. In USD. */
export const canDiscount = (price: number, percentOff: number, { min }: Pick<PriceLimit, 'min'>): boolean =>
  getDiscountedPrice(price, percentOff) >= min;
