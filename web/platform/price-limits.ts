/** The price limits in force: those of the site status, else the defaults of the release. */
import { DEFAULT_PRICES, type PriceKind, type PriceLimit } from '@stagedoor/contract/shared/prices.ts';
import { useSiteStatus } from './site-status.ts';

export const usePriceLimit = (kind: PriceKind): PriceLimit => useSiteStatus()?.prices?.[kind] ?? DEFAULT_PRICES[kind];
