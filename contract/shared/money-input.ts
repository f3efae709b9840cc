/** Reads amounts that users type. Pages load it only with a money field. */
import { formatUsd } from './money.ts';

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

/** Parses a whole number that someone typed: `1200`, `1,200`, `1 200` and digits of all scripts. Undefined for other text. */
export function parseInteger(text: string): number | undefined {
  const typed = normalizeAmountText(text);
  return /^\d+$/.test(typed) || (GROUPED_AMOUNT.test(typed) && !typed.includes('.'))
    ? Number(typed.replace(/\D/g, ''))
    : undefined;
}

/** Returns what a field for whole numbers understood, or undefined if the text is already plain: `1500`. */
export function formatUnderstoodInteger(text: string): string | undefined {
  const number = parseInteger(text);
  return number === undefined || /^\s*\d+\s*$/.test(text) ? undefined : String(number);
}
