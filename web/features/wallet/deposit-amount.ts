/** Calculates what a deposit adds and costs: credits by package or number (row D2), or dollars (row D3). */
import { CREDIT_PACKAGES, CREDIT_VALUE_CENTS, CUSTOM_CREDITS } from '@stagedoor/contract/atoms/limits.ts';
import {
  asCents,
  cleanNumber,
  formatCents,
  formatUsd,
  readUsd,
  toCents,
  toUsd,
} from '@stagedoor/contract/atoms/money.ts';
import { DEFAULT_PRICES, type PriceLimit } from '@stagedoor/contract/atoms/prices.ts';
import { customCredits, type Quote, quoteAmount, quoteCredits } from '@stagedoor/contract/payments.ts';
import * as z from 'zod/mini';

/** `credits`: the deposit dialog. `dollars`: the add-funds dialog. */
export type Entry = 'credits' | 'dollars';

export interface Draft {
  entry: Entry;
  /** The number of credits of a package as text, or `custom`. */
  pack: string;
  /** The text of the custom amount, in credits. */
  credits: string;
  /** The text of the amount, in USD of balance. */
  dollars: string;
  limited?: string | undefined;
}

/** The operator's limits in USD of balance and the processor's limit in cents, as far as they are known. */
export interface Limits {
  addFunds: PriceLimit;
  valueCents: number;
  ceilingCents: number | undefined;
}

export const CUSTOM = 'custom';
export const EMPTY_DRAFT = { pack: String(CREDIT_PACKAGES[0]), credits: '', dollars: '' } as const;
export const UNKNOWN_LIMITS: Limits = {
  addFunds: DEFAULT_PRICES.addFunds,
  valueCents: CREDIT_VALUE_CENTS,
  ceilingCents: undefined,
};
const NOTHING: Quote = { amountCents: asCents(0), feeCents: asCents(0), payableCents: asCents(0) };

/** The message with the limits filled in (row D3). */
export const addFundsRule = ({ min, max }: PriceLimit) => `Amount must be minimum ${min} and maximum ${max}.`;

export interface Chosen {
  /** Always present so that the layout stays stable. All amounts are 0 while no amount is chosen. */
  quote: Quote;
  /** The request body in USD. Undefined while there is a `complaint`. */
  body: { amount: number; credits?: number } | undefined;
  complaint: string | undefined;
  name: string;
}

export function aboveCeiling({ payableCents }: Quote, { ceilingCents }: Limits): string | undefined {
  if (ceilingCents === undefined || payableCents <= ceilingCents) return undefined;
  return `Maximum per payment: ${formatCents(ceilingCents)}`;
}

export interface Package {
  credits: number;
  quote: Quote;
  obstacle: string | undefined;
}

function obstacleOf(quote: Quote, limits: Limits): string | undefined {
  const { min, max } = limits.addFunds;
  if (quote.amountCents > toCents(max)) return `Maximum ${formatUsd(max)} per deposit`;
  if (quote.amountCents < toCents(min)) return `Minimum ${formatUsd(min)} per deposit`;
  return aboveCeiling(quote, limits);
}

export function packages(limits: Limits): Package[] {
  return CREDIT_PACKAGES.map((credits) => {
    const quote = quoteCredits(credits, limits.valueCents);
    return { credits, quote, obstacle: obstacleOf(quote, limits) };
  });
}

/**
 * Returns the text for the dollar field when `sum` USD are missing: the amount plus the debt, which is settled first,
 * at least the minimum deposit.
 */
export function dollarsFor(sum: string | null, { min }: PriceLimit, owed = 0): string {
  const missing = Math.round((Math.max(0, cleanNumber(sum ?? '')) + owed) * 100) / 100;
  if (missing <= 0) return '';
  return String(Math.max(min, missing));
}

/** Converts Arabic, Persian and full-width digits and the Arabic decimal separator to ASCII. */
function plainDigits(text: string): string {
  return text.replace(/[٠-٩۰-۹０-９]/g, (digit) => String(digit.charCodeAt(0) & 15)).replace('٫', '.');
}

function limitedWords(text: string, max: number): string | undefined {
  const amount = readUsd(text) ?? cleanNumber(text);
  return amount > max ? `Maximum ${formatUsd(max)} per deposit.` : undefined;
}

/**
 * Normalizes the text of the dollar field while typing: invalid numbers become 0, signs are dropped, and the maximum is
 * applied.
 */
export function cleanDollars(text: string, max: number): string {
  const typed = plainDigits(text).trim().replace(/^-/, '');
  if (typed === '') return '';
  const amount = readUsd(typed) ?? cleanNumber(typed);
  if (amount > max) return String(max);
  // "12." and "12,5" may become "12.50", so they stay. A third decimal or a second dot does not.
  const kept = typed.replace(',', '.').replace(/^0+(?=\d)/, '');
  return /^\d{1,3}(?:\.\d{0,2})?$/.test(kept) ? kept : String(amount);
}

export function typedDollars(text: string, { max }: PriceLimit): Pick<Draft, 'dollars' | 'limited'> {
  return { dollars: cleanDollars(text, max), limited: limitedWords(plainDigits(text), max) };
}

function chooseCredits({ pack, credits: text }: Draft, limits: Limits): Chosen {
  const parsed = z.safeParse(customCredits, pack === CUSTOM ? text : pack);
  if (!parsed.success) return { quote: NOTHING, body: undefined, complaint: parsed.error.issues[0]?.message, name: '' };
  const credits = parsed.data;
  const quote = quoteCredits(credits, limits.valueCents);
  const complaint = obstacleOf(quote, limits);
  const body = complaint === undefined ? { amount: toUsd(quote.amountCents), credits } : undefined;
  return { quote, body, complaint, name: `${credits} credits` };
}

function chooseDollars({ dollars }: Draft, limits: Limits): Chosen {
  const { addFunds } = limits;
  const amount = cleanNumber(cleanDollars(dollars, addFunds.max));
  const quote = quoteAmount(toCents(amount), limits.valueCents);
  const complaint = amount < addFunds.min ? addFundsRule(addFunds) : aboveCeiling(quote, limits);
  return {
    quote,
    body: complaint === undefined ? { amount } : undefined,
    complaint,
    name: `${formatUsd(amount)} balance`,
  };
}

export function choose(draft: Draft, limits: Limits): Chosen {
  return draft.entry === 'credits' ? chooseCredits(draft, limits) : chooseDollars(draft, limits);
}

export const CUSTOM_HINT = `From ${CUSTOM_CREDITS.min} to ${CUSTOM_CREDITS.max} credits`;
