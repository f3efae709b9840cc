/** Money: integer cents inside, USD with at most two decimals on the wire. Division only through {@link allocate}. */
import * as z from 'zod/mini';

declare const cents: unique symbol;
/** An amount in integer US cents. Made by {@link toCents}, {@link asCents} or arithmetic here, never by a cast. */
export type Cents = number & { readonly [cents]: true };

/** Largest amount any single call may name, in cents: far above every limit. What is told may be more: a balance, what was earned in all. */
const MOST_ASKED_CENTS = 100_000_000;

function isCents(value: number): value is Cents {
  return Number.isSafeInteger(value);
}

/** Asserts that `value` is a whole, safe number of cents. Throws RangeError otherwise. */
export function asCents(value: number): Cents {
  if (!isCents(value)) throw new RangeError(`not a whole number of cents: ${value}`);
  return value;
}

/** USD as sent on the wire (e.g. 12.5) to cents. Throws RangeError for NaN or more than two decimals. */
export function toCents(amount: number): Cents {
  const value = Math.round(amount * 100);
  // Large products are exact to their last bits alone; of what is no number nothing is smaller.
  if (!(Math.abs(amount * 100 - value) <= 1e-6 + Math.abs(value) / 2 ** 51))
    throw new RangeError(`not an amount in USD: ${amount}`);
  return asCents(value);
}

/** Cents to the number of USD that goes on the wire. */
export function toUsd(value: number): number {
  return asCents(value) / 100;
}

/** Made once: making a formatter costs more than a hundred uses of it. */
const DOLLARS = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** Cents as people read them: `$1,204.50`; with `sign`, `+$25.00` or `−$12.40` (a real minus). Fixed to US English. */
export function formatCents(value: number, options: { sign?: boolean } = {}): string {
  const amount = asCents(value);
  const digits = DOLLARS.format(Math.abs(amount) / 100);
  const sign = amount < 0 ? '−' : options.sign && amount > 0 ? '+' : '';
  return `${sign}$${digits}`;
}

/** USD from the wire as people read them; see {@link formatCents}. */
export function formatUsd(amount: number, options: { sign?: boolean } = {}): string {
  return formatCents(toCents(amount), options);
}

/** "$4.00/min": what a minute of a call costs, wherever it is said in figures. */
export function formatRate(amount: number): string {
  return `${formatUsd(amount)}/min`;
}

/**
 * Splits `total` by `shares` (non-negative weights, not all zero) by the largest remainder, ties to the earlier share.
 * The parts are whole cents and always sum to `total`.
 */
export function allocate(total: Cents, shares: readonly number[]): Cents[] {
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

/** Round half up of `percent` % of `amount`: the platform's fee on a gross amount (money 6). */
export function percentOf(amount: Cents, percent: number): Cents {
  const basisPoints = Math.round(percent * 100);
  return asCents(Math.floor((amount * basisPoints + 5_000) / 10_000));
}

/** Gross-up (row D7): what must be charged so that `amount` is left after `percent` %: amount / (1 − percent/100). */
export function grossUp(amount: Cents, percent: number): Cents {
  return asCents(Math.round(amount / (1 - percent / 100)));
}

/** Percent change (row G1): 100 when it grew from nothing, 0 when it stayed nothing. Two decimals. */
export function percentChange(before: number, now: number): number {
  if (before === 0) return now > 0 ? 100 : 0;
  return Math.round(((now - before) / before) * 10_000) / 100;
}

/** Number cleaning of an input's text (row D7): strips all but digits and dots, rounds to two decimals; '' becomes 0. */
export function cleanNumber(text: string): number {
  const value = Number.parseFloat(text.replace(/[^\d.]/g, ''));
  return Number.isFinite(value) ? Math.round(value * 100) / 100 : 0;
}

const PLAIN = /^(?:\d+(?:[.,]\d{0,2})?|[.,]\d{1,2})$/;
const GROUPED = /^\d{1,3}([,\s])\d{3}(?:\1\d{3})*(?:\.\d{0,2})?$/;

/**
 * A sum as people type it, in USD: `12.5`, `$1,200.00`, `1 200`, and `1,50` with a decimal comma. Undefined for what is none: nothing, words,
 * a minus, a third decimal. What was typed is never taken for another sum than it looks like.
 */
export function readUsd(text: string): number | undefined {
  const typed = text.trim().replace(/^\$\s*/, '');
  if (GROUPED.test(typed)) return Number(typed.replace(/[,\s]/g, ''));
  return PLAIN.test(typed) ? Number(typed.replace(',', '.')) : undefined;
}

/** Whether it is the number that a sum of two decimals is written as; a billionth more is a third decimal. */
function atMostTwoDecimals(value: number): boolean {
  return Number(value.toFixed(2)) === value;
}

/** USD as it is told: finite, non-negative, at most two decimals. */
export const usd = z
  .number('Value must be a number')
  .check(
    z.refine(Number.isFinite, 'Value must be a number'),
    z.gte(0, 'Please enter valid amount'),
    z.refine(atMostTwoDecimals, 'Amounts have at most two decimals'),
  );

/** USD as a call names it: not absurd either. */
export const askedUsd = usd.check(z.lte(MOST_ASKED_CENTS / 100, 'Please enter valid amount'));

/** A fan's balance wherever it leaves. Of two that were told the one with the higher revision is the later, whichever came first. */
export const balance = { deposit: usd, depositRevision: z.number() };
export type Balance = { deposit: number; depositRevision: number };

/** A wallet's balance as it leaves: the line of its statement is the revision, as every movement has the next one. */
export function toBalance(wallet: { balanceCents: number; balanceLine: number }): Balance {
  return { deposit: toUsd(wallet.balanceCents), depositRevision: wallet.balanceLine };
}

/** A signed amount in USD, as it appears in histories. */
export const signedUsd = z.number().check(z.refine(atMostTwoDecimals, 'Amounts have at most two decimals'));

/** USD strictly inside a caller's limits, both in cents and inclusive, with the limit in words. */
export function usdBetween(minCents: number, maxCents: number) {
  const words = `Amount must be between ${formatCents(minCents)} and ${formatCents(maxCents)}`;
  return askedUsd.check(z.gte(minCents / 100, words), z.lte(maxCents / 100, words));
}
