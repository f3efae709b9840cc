/** The price limits in force: those of the site status, else the defaults of the release. */
import { DEFAULT_PRICES, type PriceKind, type PriceLimit } from '@stagedoor/contract/atoms/prices.ts';
import { useHouse } from './house.ts';

export const usePriceLimit = (kind: PriceKind): PriceLimit => useHouse()?.prices?.[kind] ?? DEFAULT_PRICES[kind];
