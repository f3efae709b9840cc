/** A message's typed price as a sum, or what is wrong with it. */
import { readPrice, type TypedPrice } from '../../../kernel/price.ts';
import type { PriceRule } from '../../../kernel/price-rule.ts';

/** Nothing typed is free. */
export function priceOf(typed: string, rule: PriceRule): TypedPrice {
  return typed.trim() === '' ? { usd: 0 } : readPrice(rule, typed);
}
