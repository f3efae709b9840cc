import { createPriceSchema, type PriceLimit } from '@stagedoor/contract/shared/prices.ts';
import { parsePrice, type TypedPrice } from '../../../../platform/price.ts';

export function parseMediaPrice(input: string, limit: PriceLimit): TypedPrice {
  return input.trim() === '' ? { usd: 0 } : parsePrice(createPriceSchema('chatMedia', limit), input);
}
