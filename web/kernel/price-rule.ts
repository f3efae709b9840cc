/**
 * The validation rule for a typed price by the current limits. It is a separate file because it loads the schema
 * library.
 */
import { type PriceKind, priceRule } from '@stagedoor/contract/atoms/prices.ts';
import { usePriceLimit } from './price-limits.ts';

export type PriceRule = ReturnType<typeof priceRule>;

/** @param kept The current price, which stays valid. */
export const usePriceRule = (kind: PriceKind, kept?: number): PriceRule => priceRule(kind, usePriceLimit(kind), kept);
