/** What a deposit will add and cost, from what stands in the form: credits by package or number (row D2), or dollars (row D3). */
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

/** How the amount is asked for: the deposit dialog's credits, or the add-funds modal's dollars. */
export type Entry = 'credits' | 'dollars';

/** What stands in the form. */
export interface Draft {
  entry: Entry;
  /** A package's number of credits as text, or `custom`. */
  pack: string;
  /** The custom amount's text, in credits. */
  credits: string;
  /** The amount's text, in USD of balance. */
  dollars: string;
  /** That it was limited, in words. */
  limited?: string | undefined;
}

/** The operator's limits, in USD of balance, and the processor's, in cents, as far as they are known. */
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

/** Row D3, with its numbers filled in. */
export const addFundsRule = ({ min, max }: PriceLimit) => `Amount must be minimum ${min} and maximum ${max}.`;

export interface Chosen {
  /** Always there, so that the three lines never jump; nothing but zeros while there is no amount. */
  quote: Quote;
  /** What the server is asked for, in USD; nothing while `complaint` stands. */
  body: { amount: number; credits?: number } | undefined;
  /** Why it cannot be bought. */
  complaint: string | undefined;
  /** "30 credits", "$25.00 of balance". */
  name: string;
}

/** Whether the card processor takes this much in one payment; if not, why. */
export function aboveCeiling({ payableCents }: Quote, { ceilingCents }: Limits): string | undefined {
  if (ceilingCents === undefined || payableCents <= ceilingCents) return undefined;
  return `Our card processor takes at most ${formatCents(ceilingCents)} in one payment`;
}

export interface Package {
  credits: number;
  quote: Quote;
  /** Why it is not offered; nothing when it is. */
  obstacle: string | undefined;
}

/** Why nobody adds so much, or so little, at once. */
function obstacleOf(quote: Quote, limits: Limits): string | undefined {
  const { min, max } = limits.addFunds;
  if (quote.amountCents > toCents(max)) return `${formatUsd(max)} is the most at once`;
  if (quote.amountCents < toCents(min)) return `${formatUsd(min)} is the least at once`;
  return aboveCeiling(quote, limits);
}

/** The packages on offer, those beyond a limit or above the processor's ceiling with the reason. */
export function packages(limits: Limits): Package[] {
  return CREDIT_PACKAGES.map((credits) => {
    const quote = quoteCredits(credits, limits.valueCents);
    return { credits, quote, obstacle: obstacleOf(quote, limits) };
  });
}

/**
 * What the dollar field is asked for when `sum` USD lack: as much, with what is owed, as that goes first, and at least the smallest
 * deposit. Nothing for no amount.
 */
export function dollarsFor(sum: string | null, { min }: PriceLimit, owed = 0): string {
  const missing = Math.round((Math.max(0, cleanNumber(sum ?? '')) + owed) * 100) / 100;
  if (missing <= 0) return '';
  return String(Math.max(min, missing));
}

/** Digits as Arabic, Persian and full-width keyboards write them, and their decimal sign, as 0 to 9 and a dot. */
function plainDigits(text: string): string {
  return text.replace(/[٠-٩۰-۹０-９]/g, (digit) => String(digit.charCodeAt(0) & 15)).replace('٫', '.');
}

/** What is said when a sum was limited to the most there is; nothing when it was not. */
function limitedWords(text: string, max: number): string | undefined {
  const amount = readUsd(text) ?? cleanNumber(text);
  return amount > max ? `${formatUsd(max)} is the most at once.` : undefined;
}

/** The dollar field's text after typing: what is no number becomes 0, none is negative, none above the limit. */
export function cleanDollars(text: string, max: number): string {
  // A minus is left out as it is typed.
  const typed = plainDigits(text).trim().replace(/^-/, '');
  if (typed === '') return '';
  const amount = readUsd(typed) ?? cleanNumber(typed);
  if (amount > max) return String(max);
  // "12." and "12,5" are on their way to "12.50"; a third decimal or a second dot is not.
  const kept = typed.replace(',', '.').replace(/^0+(?=\d)/, '');
  return /^\d{1,3}(?:\.\d{0,2})?$/.test(kept) ? kept : String(amount);
}

/** The draft after that was typed into the dollar field, or asked of it. */
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
    name: `${formatUsd(amount)} of balance`,
  };
}

/** What the form stands for at this moment. */
export function choose(draft: Draft, limits: Limits): Chosen {
  return draft.entry === 'credits' ? chooseCredits(draft, limits) : chooseDollars(draft, limits);
}

export const CUSTOM_HINT = `From ${CUSTOM_CREDITS.min} to ${CUSTOM_CREDITS.max} credits`;
