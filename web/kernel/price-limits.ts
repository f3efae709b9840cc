/** What things may cost here: as the house says it with the document, which an open tab follows; where it says nothing, the release's limits. */
import { DEFAULT_PRICES, type PriceKind, type PriceLimit } from '@stagedoor/contract/atoms/prices.ts';
import { useHouse } from './house.ts';

export const usePriceLimit = (kind: PriceKind): PriceLimit => useHouse()?.prices?.[kind] ?? DEFAULT_PRICES[kind];
