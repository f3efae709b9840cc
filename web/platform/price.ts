import { parseUsd } from '@stagedoor/contract/shared/money-input.ts';
import { validate } from '@stagedoor/contract/shared/validation.ts';
import type * as z from 'zod/mini';
import * as texts from './texts.ts';

export type TypedPrice = {
  /** The price in USD, or 0 if there is an error. */
  usd: number;
  error?: string;
};

/** Returns the typed amount or the validation message. Invalid or empty input is never read as free. */
export function parsePrice(schema: z.ZodMiniType<number, number>, typed: string): TypedPrice {
  if (typed.trim() === '') return { usd: 0, error: texts.pleaseEnterAmount };
  const sum = parseUsd(typed);
  if (sum === undefined) return { usd: 0, error: texts.pleaseEnterValidAmount };
  const parsed = validate(schema, sum);
  if (parsed.success) return { usd: parsed.data };
  return { usd: 0, error: parsed.error.issues[0]?.message ?? texts.pleaseEnterValidAmount };
}

export function parsePaidPrice(schema: z.ZodMiniType<number, number>, typed: string): TypedPrice {
  const price = parsePrice(schema, typed);
  return price.usd === 0 ? { usd: 0, error: price.error ?? texts.pleaseEnterAmount } : price;
}

export function formatPriceInput(usd: number): string {
  return Number.isInteger(usd) ? String(usd) : usd.toFixed(2);
}
