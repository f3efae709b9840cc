import { type PriceLimit, priceRule } from '@stagedoor/contract/atoms/prices.ts';
import { readPrice, type TypedPrice } from '../../../kernel/price.ts';

export function priceOf(typed: string, limit: PriceLimit): TypedPrice {
  return typed.trim() === '' ? { usd: 0 } : readPrice(priceRule('chatMedia', limit), typed);
}
