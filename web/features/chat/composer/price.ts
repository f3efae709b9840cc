/** A message's typed price as a sum, or what is wrong with it. */
import { messagePrice } from '@stagedoor/contract/messages.ts';
import { readPrice, type TypedPrice } from '../../../kernel/price.ts';

/** Nothing typed is free. */
export function priceOf(typed: string): TypedPrice {
  return typed.trim() === '' ? { usd: 0 } : readPrice(messagePrice, typed);
}
