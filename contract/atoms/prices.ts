/** What things may cost, in USD and inclusive: what holds while operators set nothing, how far they may go, and the rule with its words. */
import * as z from 'zod/mini';
import { askedUsd, formatUsd, usdBetween } from './money.ts';

export type PriceLimit = { readonly min: number; readonly max: number };

/** ⚙ The defaults: what is in force is the operator's (`price-limits.ts`). `callRate` is a minute's, `addFunds` of balance. */
export const DEFAULT_PRICES = {
  tip: { min: 1, max: 200 },
  post: { min: 3, max: 50 },
  chatMedia: { min: 3, max: 200 },
  callRate: { min: 1, max: 50 },
  addFunds: { min: 10, max: 900 },
} as const;
export type PriceKind = keyof typeof DEFAULT_PRICES;
export type PriceLimits = Readonly<Record<PriceKind, PriceLimit>>;

/** No operator goes beyond, in whichever direction. */
export const PRICE_BOUNDS = { min: 0.5, max: 1_000 } as const;
/**
 * CCBill takes no payment below $2.95; and 90 credits, the largest package, are $900.00 of balance for $918.00, which its ceiling
 * (CCBILL_CEILING_USD, usually $1,000.00) lets through.
 */
export const DEPOSIT_BOUNDS = { min: 3, max: 900 } as const;

export const boundedPrice = usdBetween(PRICE_BOUNDS.min * 100, PRICE_BOUNDS.max * 100);
export const boundedDeposit = usdBetween(DEPOSIT_BOUNDS.min * 100, DEPOSIT_BOUNDS.max * 100);

/** What of it may be free as well. */
export const mayBeFree = (kind: PriceKind): boolean => kind === 'post' || kind === 'chatMedia';

const WORDS: Partial<Record<PriceKind, string>> = { post: 'A paid post costs', chatMedia: 'A paid message costs' };

/** `A paid post costs between $3.00 and $50.00`. */
export function priceWords(kind: PriceKind, { min, max }: PriceLimit): string {
  return `${WORDS[kind] ?? 'Amount must be'} between ${formatUsd(min)} and ${formatUsd(max)}`;
}

/** A price of that kind within limits; `kept` is what it is already, and may stay whatever the limits became. */
export function priceRule(kind: PriceKind, limit: PriceLimit, kept?: number) {
  return askedUsd.check(
    z.refine(
      (value) => value === kept || (value === 0 && mayBeFree(kind)) || (value >= limit.min && value <= limit.max),
      priceWords(kind, limit),
    ),
  );
}
