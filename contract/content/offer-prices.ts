/** What a discount makes of prices. */
import { asCents, toCents, toUsd } from '../shared/money.ts';
import type { PriceLimit } from '../shared/prices.ts';

/** What a price of this many cents costs with a discount, rounded half up to cents. */
export const calculateDiscountedCents = (cents: number, percentOff: number): number =>
  Math.round((cents * (100 - percentOff)) / 100);

/** In USD. */
export function getDiscountedPrice(price: number, percentOff: number): number {
  return toUsd(asCents(calculateDiscountedCents(toCents(price), percentOff)));
}

/** No discount makes a charge lower than the lowest price of operators. Such a period costs its full price. In USD. */
export const canDiscount = (price: number, percentOff: number, { min }: Pick<PriceLimit, 'min'>): boolean =>
  getDiscountedPrice(price, percentOff) >= min;
