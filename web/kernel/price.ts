import { readUsd } from '@stagedoor/contract/atoms/money.ts';
import { check } from '@stagedoor/contract/atoms/words.ts';
import type * as z from 'zod/mini';

export type TypedPrice = {
  /** The price in USD, or 0 if there is a complaint. */
  usd: number;
  complaint?: string;
};

/** Returns the typed amount or the validation message. Invalid or empty input is never read as free. */
export function readPrice(rule: z.ZodMiniType<number, number>, typed: string): TypedPrice {
  if (typed.trim() === '') return { usd: 0, complaint: 'Please enter amount' };
  const sum = readUsd(typed);
  if (sum === undefined) return { usd: 0, complaint: 'Please enter valid amount' };
  const parsed = check(rule, sum);
  if (parsed.success) return { usd: parsed.data };
  return { usd: 0, complaint: parsed.error.issues[0]?.message ?? 'Please enter valid amount' };
}

export function readPaidPrice(rule: z.ZodMiniType<number, number>, typed: string): TypedPrice {
  const price = readPrice(rule, typed);
  return price.usd === 0 ? { usd: 0, complaint: price.complaint ?? 'Please enter amount' } : price;
}

export function writePrice(usd: number): string {
  return Number.isInteger(usd) ? String(usd) : usd.toFixed(2);
}
