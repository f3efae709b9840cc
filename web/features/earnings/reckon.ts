/** What of a price is the creator's, and which price leaves what they want, in cents, by the ledger's own rounding. */
import { asCents, type Cents, grossUp, percentOf } from '@stagedoor/contract/atoms/money.ts';

/** What is the creator's of `priceCents` at a commission of `percent`. */
export function netOf(priceCents: number, percent: number): Cents {
  const price = asCents(priceCents);
  return asCents(price - percentOf(price, percent));
}

/** The least price that leaves at least `wantedCents`: the gross-up, or a few cents beside it, as the fee is rounded. */
export function priceFor(wantedCents: number, percent: number): Cents {
  let price: number = percent < 100 ? grossUp(asCents(wantedCents), percent) : 0;
  while (percent < 100 && netOf(price, percent) < wantedCents) price += 1;
  while (price > 0 && netOf(price - 1, percent) >= wantedCents) price -= 1;
  return asCents(price);
}
