/** A message's typed price as a sum, or what is wrong with it. */
import { type PriceLimit, priceRule } from '@stagedoor/contract/atoms/prices.ts';
import { readPrice, type TypedPrice } from '../../../kernel/price.ts';

/** Nothing typed is free. */
export function priceOf(typed: string, limit: PriceLimit): TypedPrice {
  return typed.trim() === '' ? { usd: 0 } : readPrice(priceRule('chatMedia', limit), typed);
}
