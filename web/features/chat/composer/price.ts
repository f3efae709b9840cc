/** A typed price as a sum, or what is wrong with it, in the contract's words. */
import { cleanNumber } from '@stagedoor/contract/atoms/money.ts';
import { messagePrice } from '@stagedoor/contract/messages.ts';
import * as z from 'zod/mini';

/** Nothing typed is free. */
export function priceOf(typed: string): { usd: number; complaint?: string } {
  if (typed.trim() === '') return { usd: 0 };
  const parsed = z.safeParse(messagePrice, cleanNumber(typed));
  if (parsed.success) return { usd: parsed.data };
  return { usd: 0, complaint: parsed.error.issues[0]?.message ?? 'Please name a price' };
}
