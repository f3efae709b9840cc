/** Integer cents inside, USD with at most two decimals on the wire. Division goes only through {@link allocateCents}. */
import * as z from 'zod/mini';

declare const cents: unique symbol;
/** Integer US cents. Create it with {@link toCents}, {@link asCents} or the functions here, never with a cast. */
export type Cents = number & { readonly [cents]: true };

/** Maximum in requests. Responses may contain more, such as total earnings. */
const MAX_INPUT_CENTS = 100_000_000;

function isCents(value: number): value is Cents {
  return Number.isSafeInteger(value);
}

/** Throws RangeError unless `value` is a whole, safe number of cents. */
export function asCents(value: number): Cents {
  if (!isCents(value)) throw new RangeError(`not a whole number of cents: ${value}`);
  return value;
}

/** USD from the wire to cents. Throws RangeError for NaN or more than two decimals. */
export function toCents(amount: number): Cents {
  const value = Math.round(amount * 100);
  // Large products have rounding errors in their last bits. The negated comparison also refuses NaN.
  if (!(Math.abs(amount * 100 - value) <= 1e-6 + Math.abs(value) / 2 ** 51))
    throw new RangeError(`not an amount in USD: ${amount}`);
  return asCents(value);
}

export function toUsd(value: number): number {
  return asCents(value) / 100;
}

/** The formatter is cached because creating one is expensive. */
const dollarFormat = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

export function formatCents(value: number, options: { sign?: boolean } = {}): string {
  const amount = asCents(value);
  const digits = dollarFormat.format(Math.abs(amount) / 100);
  const sign = amount < 0 ? '−' : options.sign && amount > 0 ? '+' : '';
  return `${sign}$${digits}`;
}

export function formatUsd(amount: number, options: { sign?: boolean } = {}): string {
  return formatCents(toCents(amount), options);
}

export function formatRate(amount: number): string {
  return `${formatUsd(amount)}/min`;
}

/**
 * Splits `total` by `shares` (non-negative, not all zero) with the largest-remainder method. Ties go to the earlier
 * share. The parts always sum to `total`.
 */
export function allocateCents(total: Cents, shares: readonly number[]): Cents[] {
  const sum = shares.reduce((a, b) => a + b, 0);
  if (!(sum > 0) || shares.some((share) => !(share >= 0)))
    throw new RangeError('shares must be non-negative, with a positive sum');
  const exact = shares.map((share) => (total * share) / sum);
  const parts = exact.map((part) => Math.floor(part));
  let rest = total - parts.reduce((a, b) => a + b, 0);
  const order = exact
    .map((part, index) => ({ index, remainder: part - Math.floor(part) }))
    .sort((a, b) => b.remainder - a.remainder || a.index - b.index);
  for (const { index } of order) {
    if (rest === 0) break;
    parts[index] = (parts[index] ?? 0) + 1;
    rest -= 1;
  }
  return parts.map(asCents);
}

/** Rounded half up: the platform's fee on a gross amount (docs/money.md, rule 6). */
export function calculatePercent(amount: Cents, percent: number): Cents {
  const basisPoints = Math.round(percent * 100);
  return asCents(Math.floor((amount * basisPoints + 5_000) / 10_000));
}

/** The charge that leaves `amount` after a fee: amount / (1 − percent/100) (row D7). */
export function grossUp(amount: Cents, percent: number): Cents {
  return asCents(Math.round(amount / (1 - percent / 100)));
}

/** 100 for growth from zero, 0 if both are zero. Two decimals (row G1). */
export function calculatePercentChange(before: number, now: number): number {
  if (before === 0) return now > 0 ? 100 : 0;
  return Math.round(((now - before) / before) * 10_000) / 100;
}

function hasAtMostTwoDecimals(value: number): boolean {
  return Number(value.toFixed(2)) === value;
}

export const usd = z
  .number('Value must be a number')
  .check(
    z.refine(Number.isFinite, 'Value must be a number'),
    z.gte(0, 'Please enter valid amount'),
    z.refine(hasAtMostTwoDecimals, 'Amounts have at most two decimals'),
  );

export const inputUsd = usd.check(z.lte(MAX_INPUT_CENTS / 100, 'Please enter valid amount'));

/** Of two balances, the one with the higher revision is newer, regardless of the order of arrival. */
export const balanceFields = { deposit: usd, depositRevision: z.number() };
export type DepositBalance = { deposit: number; depositRevision: number };

/** The number of the latest statement line is the revision, because every transaction increases it. */
export function toDepositBalance(wallet: { balanceCents: number; balanceLine: number }): DepositBalance {
  return { deposit: toUsd(wallet.balanceCents), depositRevision: wallet.balanceLine };
}

export const signedUsd = z.number().check(z.refine(hasAtMostTwoDecimals, 'Amounts have at most two decimals'));

/** Limits in cents, inclusive. The error message names them. */
export function createUsdSchema(minCents: number, maxCents: number) {
  const message = `Amount must be between ${formatCents(minCents)} and ${formatCents(maxCents)}`;
  return inputUsd.check(z.gte(minCents / 100, message), z.lte(maxCents / 100, message));
}
