/** A sum that somebody typed, held to the contract's rule for it. */
import { readUsd } from '@stagedoor/contract/atoms/money.ts';
import { check } from '@stagedoor/contract/atoms/words.ts';
import type * as z from 'zod/mini';

export type TypedPrice = {
  /** USD; 0 where there is a complaint. */
  usd: number;
  complaint?: string;
};

/** What was typed as a sum, or what is wrong with it. Words, or nothing at all, are no sum, and never a free one. */
export function readPrice(rule: z.ZodMiniType<number, number>, typed: string): TypedPrice {
  if (typed.trim() === '') return { usd: 0, complaint: 'Please enter amount' };
  const sum = readUsd(typed);
  if (sum === undefined) return { usd: 0, complaint: 'Please enter valid amount' };
  const parsed = check(rule, sum);
  if (parsed.success) return { usd: parsed.data };
  return { usd: 0, complaint: parsed.error.issues[0]?.message ?? 'Please enter valid amount' };
}

/** {@link readPrice} of what is not to be free. */
export function readPaidPrice(rule: z.ZodMiniType<number, number>, typed: string): TypedPrice {
  const price = readPrice(rule, typed);
  return price.usd === 0 ? { usd: 0, complaint: price.complaint ?? 'Please enter amount' } : price;
}

/** A sum in USD as it stands in a field: `5`, `7.50`. */
export function writePrice(usd: number): string {
  return Number.isInteger(usd) ? String(usd) : usd.toFixed(2);
}
