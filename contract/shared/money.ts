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

/** Strips everything except digits and dots and rounds to two decimals; '' becomes 0 (row D7). */
export function cleanNumber(text: string): number {
  const value = Number.parseFloat(text.replace(/[^\d.]/g, ''));
  return Number.isFinite(value) ? Math.round(value * 100) / 100 : 0;
}

const NON_ASCII_DIGIT = /(?!\d)\p{Nd}/gu;

/** Unicode encodes the digits of each script in order, beginning with zero, so the position in such a run is the value. */
function toDigitValue(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let first = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1;
  return (code - first) % 10;
}

/** Replaces the digits of all scripts by 0 to 9. */
export function toAsciiDigits(text: string): string {
  return text.replace(NON_ASCII_DIGIT, (digit) => String(toDigitValue(digit)));
}

/** Arabic and full-width separators, and the full-width dollar sign. */
const SIGNS: Readonly<Record<string, string>> = { '٫': '.', '٬': ',', '．': '.', '，': ',', '＄': '$' };
const PLAIN_AMOUNT = /^(?:\d+(?:[.,]\d{0,2})?|[.,]\d{1,2})$/;
const GROUPED_AMOUNT = /^[1-9]\d{0,2}([,\s])\d{3}(?:\1\d{3})*(?:\.\d{0,2})?$/;

/** The typed amount with ASCII digits, separators and dollar sign. Its meaning is the same. */
export function normalizeAmountText(text: string): string {
  return toAsciiDigits(text.trim()).replace(/[٫٬．，＄]/g, (sign) => SIGNS[sign] ?? sign);
}

/**
 * Parses an amount that someone typed. Every money field uses it. Takes `12.5`, `$1,200.00`, `1 200`, `1,50` with a
 * decimal comma, and digits of all scripts. A comma before exactly three last digits separates thousands. Returns
 * undefined for anything ambiguous, negative, in exponents or with a third decimal.
 */
export function parseUsd(text: string): number | undefined {
  const trimmed = normalizeAmountText(text).replace(/^\$\s*/, '');
  if (GROUPED_AMOUNT.test(trimmed)) return Number(trimmed.replace(/[,\s]/g, ''));
  return PLAIN_AMOUNT.test(trimmed) ? Number(trimmed.replace(',', '.')) : undefined;
}

/** Returns what a field understood, such as "$1,500.00", or undefined if the text is already plain: `1500`, `12.5`. */
export function formatUnderstoodUsd(text: string): string | undefined {
  const amount = parseUsd(text);
  return amount === undefined || /^\s*\d+(?:\.\d{0,2})?\s*$/.test(text) ? undefined : formatUsd(amount);
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
