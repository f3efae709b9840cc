/** Calculates the creator's share of a price, and the price for a share, in cents with the ledger's rounding. */
import { asCents, type Cents, calculatePercent, grossUp } from '@stagedoor/contract/shared/money.ts';

/** Returns the creator's share of `priceCents` at a commission of `percent`. */
export function calculateNet(priceCents: number, percent: number): Cents {
  const price = asCents(priceCents);
  return asCents(price - calculatePercent(price, percent));
}

/**
 * Returns the lowest price that leaves at least `netCents`: the gross-up, adjusted by a few cents because the fee is
 * rounded.
 */
export function calculatePrice(netCents: number, percent: number): Cents {
  let price: number = percent < 100 ? grossUp(asCents(netCents), percent) : 0;
  while (percent < 100 && calculateNet(price, percent) < netCents) price += 1;
  while (price > 0 && calculateNet(price - 1, percent) >= netCents) price -= 1;
  return asCents(price);
}
