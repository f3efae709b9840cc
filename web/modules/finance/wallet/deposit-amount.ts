/** Calculates what a deposit adds and costs: credits by package or number (row D2), or dollars (row D3). */

import { customCredits, type DepositQuote, quoteAmount, quoteCredits } from '@stagedoor/contract/commerce/deposits.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { CREDIT_PACKAGES, CREDIT_VALUE_CENTS, CUSTOM_CREDITS } from '@stagedoor/contract/shared/limits.ts';
import {
  asCents,
  cleanNumber,
  formatCents,
  formatUsd,
  parseUsd,
  toCents,
  toUsd,
} from '@stagedoor/contract/shared/money.ts';
import { DEFAULT_PRICES, type PriceLimit } from '@stagedoor/contract/shared/prices.ts';
import * as z from 'zod/mini';
import * as texts from './texts.ts';

/** `credits`: the deposit dialog. `dollars`: the add-funds dialog. */
export type DepositEntry = 'credits' | 'dollars';

export interface DepositDraft {
  entry: DepositEntry;
  /** The number of credits of a package as text, or `custom`. */
  pack: string;
  /** The text of the custom amount, in credits. */
  credits: string;
  /** The text of the amount, in USD of balance. */
  dollars: string;
  limitMessage?: string | undefined;
}

/** The operator's limits in USD of balance and the processor's limit in cents, as far as they are known. */
export interface DepositLimits {
  addFunds: PriceLimit;
  valueCents: number;
  ceilingCents: number | undefined;
}

export const CUSTOM_PACK = 'custom';
export const EMPTY_DRAFT = { pack: String(CREDIT_PACKAGES[0]), credits: '', dollars: '' } as const;
export const UNKNOWN_LIMITS: DepositLimits = {
  addFunds: DEFAULT_PRICES.addFunds,
  valueCents: CREDIT_VALUE_CENTS,
  ceilingCents: undefined,
};
const EMPTY_QUOTE: DepositQuote = { amountCents: asCents(0), feeCents: asCents(0), payableCents: asCents(0) };

/** The message with the limits filled in (row D3). */
export const formatAddFundsRule = ({ min, max }: PriceLimit) => formatText(texts.amountLimitsError, { min, max });

export interface DepositChoice {
  /** Always present so that the layout stays stable. All amounts are 0 while no amount is chosen. */
  quote: DepositQuote;
  /** The request body in USD. Undefined while there is an `error`. */
  body: { amount: number; credits?: number } | undefined;
  error: string | undefined;
  name: string;
}

export function findCeilingError({ payableCents }: DepositQuote, { ceilingCents }: DepositLimits): string | undefined {
  if (ceilingCents === undefined || payableCents <= ceilingCents) return undefined;
  return formatText(texts.maximumPerPayment, { max: formatCents(ceilingCents) });
}

export interface CreditPackage {
  credits: number;
  quote: DepositQuote;
  obstacle: string | undefined;
}

function findObstacle(quote: DepositQuote, limits: DepositLimits): string | undefined {
  const { min, max } = limits.addFunds;
  if (quote.amountCents > toCents(max)) return formatText(texts.maximumPerDeposit, { max: formatUsd(max) });
  if (quote.amountCents < toCents(min)) return formatText(texts.minimumPerDeposit, { min: formatUsd(min) });
  return findCeilingError(quote, limits);
}

export function listPackages(limits: DepositLimits): CreditPackage[] {
  return CREDIT_PACKAGES.map((credits) => {
    const quote = quoteCredits(credits, limits.valueCents);
    return { credits, quote, obstacle: findObstacle(quote, limits) };
  });
}

/**
 * Returns the text for the dollar field when `sum` USD are missing: the amount plus the debt, which is settled first,
 * at least the minimum deposit.
 */
export function prefillDollars(sum: string | null, { min }: PriceLimit, owed = 0): string {
  const missing = Math.round((Math.max(0, cleanNumber(sum ?? '')) + owed) * 100) / 100;
  if (missing <= 0) return '';
  return String(Math.max(min, missing));
}

/** Converts Arabic, Persian and full-width digits and the Arabic decimal separator to ASCII. */
function normalizeDigits(text: string): string {
  return text.replace(/[٠-٩۰-۹０-９]/g, (digit) => String(digit.charCodeAt(0) & 15)).replace('٫', '.');
}

function findLimitMessage(text: string, max: number): string | undefined {
  const amount = parseUsd(text) ?? cleanNumber(text);
  return amount > max ? formatText(texts.maximumDepositError, { max: formatUsd(max) }) : undefined;
}

/**
 * Normalizes the text of the dollar field while typing: invalid numbers become 0, signs are dropped, and the maximum is
 * applied.
 */
export function normalizeDollars(text: string, max: number): string {
  const input = normalizeDigits(text).trim().replace(/^-/, '');
  if (input === '') return '';
  const amount = parseUsd(input) ?? cleanNumber(input);
  if (amount > max) return String(max);
  // "12." and "12,5" may become "12.50", so they stay. A third decimal or a second dot does not.
  const normalized = input.replace(',', '.').replace(/^0+(?=\d)/, '');
  return /^\d{1,3}(?:\.\d{0,2})?$/.test(normalized) ? normalized : String(amount);
}

export function parseTypedDollars(text: string, { max }: PriceLimit): Pick<DepositDraft, 'dollars' | 'limitMessage'> {
  return { dollars: normalizeDollars(text, max), limitMessage: findLimitMessage(normalizeDigits(text), max) };
}

function toCreditsChoice({ pack, credits: text }: DepositDraft, limits: DepositLimits): DepositChoice {
  const parsed = z.safeParse(customCredits, pack === CUSTOM_PACK ? text : pack);
  if (!parsed.success) return { quote: EMPTY_QUOTE, body: undefined, error: parsed.error.issues[0]?.message, name: '' };
  const credits = parsed.data;
  const quote = quoteCredits(credits, limits.valueCents);
  const error = findObstacle(quote, limits);
  const body = error === undefined ? { amount: toUsd(quote.amountCents), credits } : undefined;
  return { quote, body, error, name: `${credits} credits` };
}

function toDollarsChoice({ dollars }: DepositDraft, limits: DepositLimits): DepositChoice {
  const { addFunds } = limits;
  const amount = cleanNumber(normalizeDollars(dollars, addFunds.max));
  const quote = quoteAmount(toCents(amount), limits.valueCents);
  const error = amount < addFunds.min ? formatAddFundsRule(addFunds) : findCeilingError(quote, limits);
  return {
    quote,
    body: error === undefined ? { amount } : undefined,
    error,
    name: `${formatUsd(amount)} balance`,
  };
}

export function toDepositChoice(draft: DepositDraft, limits: DepositLimits): DepositChoice {
  return draft.entry === 'credits' ? toCreditsChoice(draft, limits) : toDollarsChoice(draft, limits);
}

export const CUSTOM_HINT = formatText(texts.creditLimits, { min: CUSTOM_CREDITS.min, max: CUSTOM_CREDITS.max });
