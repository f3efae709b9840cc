/** What things may cost here: as the house says it with the document, which an open tab follows; where it says nothing, the release's limits. */
import { DEFAULT_PRICES, type PriceKind, type PriceLimit, priceRule } from '@stagedoor/contract/atoms/prices.ts';
import { useHouse } from './house.ts';

export const usePriceLimit = (kind: PriceKind): PriceLimit => useHouse()?.prices?.[kind] ?? DEFAULT_PRICES[kind];

/** The rule for what is typed as such a price; `kept` is what it is already, and may stay. */
export function usePriceRule(kind: PriceKind, kept?: number) {
  return priceRule(kind, usePriceLimit(kind), kept);
}
export type PriceRule = ReturnType<typeof priceRule>;
