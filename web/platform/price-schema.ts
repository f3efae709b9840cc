/**
 * The validation rule for a typed price by the current limits. It is a separate file because it loads the schema
 * library.
 */
import { createPriceSchema, type PriceKind } from '@stagedoor/contract/shared/prices.ts';
import { usePriceLimit } from './price-limits.ts';

export type PriceSchema = ReturnType<typeof createPriceSchema>;

/** @param currentPrice The current price, which stays valid. */
export const usePriceSchema = (kind: PriceKind, currentPrice?: number): PriceSchema =>
  createPriceSchema(kind, usePriceLimit(kind), currentPrice);
