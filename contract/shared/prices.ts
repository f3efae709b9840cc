import * as z from 'zod/mini';
import { createUsdSchema, formatUsd, inputUsd } from './money.ts';

export type PriceLimit = { readonly min: number; readonly max: number };

/**
 * ⚙ Defaults until an operator sets others. `callRate` is per minute, `addFunds` is the added balance, `subscription` is a
 * week or a month: a year may cost twelve times as much.
 */
export const DEFAULT_PRICES = {
  tip: { min: 1, max: 200 },
  post: { min: 3, max: 50 },
  chatMedia: { min: 3, max: 200 },
  callRate: { min: 1, max: 50 },
  addFunds: { min: 10, max: 900 },
  subscription: { min: 3, max: 100 },
} as const;
export type PriceKind = keyof typeof DEFAULT_PRICES;
export type PriceLimits = Readonly<Record<PriceKind, PriceLimit>>;

export const PRICE_BOUNDS = { min: 0.5, max: 1_000 } as const;
/**
 * CCBill refuses payments below $2.95. The largest package adds $900.00 for $918.00, below CCBILL_MAX_USD (usually
 * $1,000.00).
 */
export const DEPOSIT_BOUNDS = { min: 3, max: 900 } as const;

export const boundedPrice = createUsdSchema(PRICE_BOUNDS.min * 100, PRICE_BOUNDS.max * 100);
export const boundedDeposit = createUsdSchema(DEPOSIT_BOUNDS.min * 100, DEPOSIT_BOUNDS.max * 100);

export const canBeFree = (kind: PriceKind): boolean => kind === 'post' || kind === 'chatMedia';

const PRICE_PREFIXES: Partial<Record<PriceKind, string>> = {
  post: 'A paid post costs',
  chatMedia: 'A paid message costs',
  subscription: 'A subscription costs',
};

export function formatPriceRule(kind: PriceKind, { min, max }: PriceLimit): string {
  return `${PRICE_PREFIXES[kind] ?? 'Amount must be'} between ${formatUsd(min)} and ${formatUsd(max)}`;
}

/** `currentPrice` stays valid even if the limits changed. */
export function createPriceSchema(kind: PriceKind, limit: PriceLimit, currentPrice?: number) {
  return inputUsd.check(
    z.refine(
      (value) =>
        value === currentPrice || (value === 0 && canBeFree(kind)) || (value >= limit.min && value <= limit.max),
      formatPriceRule(kind, limit),
    ),
  );
}
