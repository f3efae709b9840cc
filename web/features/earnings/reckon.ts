/** Calculates the creator's share of a price, and the price for a share, in cents with the ledger's rounding. */
import { asCents, type Cents, grossUp, percentOf } from '@stagedoor/contract/atoms/money.ts';

/** Returns the creator's share of `priceCents` at a commission of `percent`. */
export function netOf(priceCents: number, percent: number): Cents {
  const price = asCents(priceCents);
  return asCents(price - percentOf(price, percent));
}

/**
 * Returns the lowest price that leaves at least `wantedCents`: the gross-up, adjusted by a few cents because the fee is
 * rounded.
 */
export function priceFor(wantedCents: number, percent: number): Cents {
  let price: number = percent < 100 ? grossUp(asCents(wantedCents), percent) : 0;
  while (percent < 100 && netOf(price, percent) < wantedCents) price += 1;
  while (price > 0 && netOf(price - 1, percent) >= wantedCents) price -= 1;
  return asCents(price);
}
