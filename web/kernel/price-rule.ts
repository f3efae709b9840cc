/** The rule for what is typed as a price, by the limits in force: apart from them, as it brings the schemas' library. */
import { type PriceKind, priceRule } from '@stagedoor/contract/atoms/prices.ts';
import { usePriceLimit } from './price-limits.ts';

export type PriceRule = ReturnType<typeof priceRule>;

/** `kept` is what it is already, and may stay. */
export const usePriceRule = (kind: PriceKind, kept?: number): PriceRule => priceRule(kind, usePriceLimit(kind), kept);
