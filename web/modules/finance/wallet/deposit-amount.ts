/** Calculates what a deposit adds and costs: credits by package or number (row D2), or dollars (row D3). */

import { customCredits, type DepositQuote, quoteAmount, quoteCredits } from '@stagedoor/contract/commerce/deposits.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { CREDIT_PACKAGES, CREDIT_VALUE_CENTS, CUSTOM_CREDITS } from '@stagedoor/contract/shared/limits.ts';
import { asCents, formatCents, formatUsd, toCents, toUsd } from '@stagedoor/contract/shared/money.ts';
import { cleanNumber, normalizeAmountText, parseUsd } from '@stagedoor/contract/shared/money-input.ts';
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
  /** What the field did with the typed text: limited it, could not read it, or rounded it. */
  entryNote?: string | undefined;
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

/**
 * Returns the amount, or undefined if the text cannot be read. Row D7 demands that a deposit rounds more than two decimals,
 * which other money fields refuse because they set prices. The field then shows what it understood.
 */
function parseDollars(text: string): number | undefined {
  const typed = normalizeAmountText(text).replace(/^\$\s*/, '');
  return parseUsd(typed) ?? (/^\d*\.\d{3,}$/.test(typed) ? cleanNumber(typed) : undefined);
}

/**
 * Normalizes the text of the dollar field while typing: what is no number becomes 0, signs are dropped, and the maximum
 * is applied (row D3). Text with digits that cannot be read stays as it is, so that it is refused, and "1,5" may become
 * "1,500".
 */
export function normalizeDollars(text: string, max: number): string {
  const input = normalizeAmountText(text)
    .replace(/^[-−]/, '')
    .replace(/^\$\s*/, '');
  if (input === '') return '';
  const amount = parseDollars(input);
  // The field shows 0 after the first letter of a word, so the next letter arrives after it.
  if (amount === undefined) return /\d/.test(input) && !/^0+[^\d.,]+$/.test(input) ? input : '0';
  if (amount > max) return String(max);
  return parseUsd(input) === undefined ? String(amount) : input.replace(/^0+(?=\d)/, '');
}

export function parseTypedDollars(text: string, { max }: PriceLimit): Pick<DepositDraft, 'dollars' | 'entryNote'> {
  const typed = normalizeAmountText(text).replace(/^[-−]/, '');
  const amount = parseDollars(typed);
  const entryNote =
    amount === undefined && /\d/.test(typed)
      ? texts.validAmountRequired
      : amount !== undefined && amount > max
        ? formatText(texts.maximumDepositError, { max: formatUsd(max) })
        : amount !== undefined && parseUsd(typed) === undefined
          ? formatText(texts.roundedAmount, { amount: formatUsd(amount) })
          : undefined;
  return { dollars: normalizeDollars(text, max), entryNote };
}

/** The amount of an earlier attempt, as the address has it. `isChosen`: the user had gone on to the payment. */
export type DepositStartValues = {
  dollars?: string | undefined;
  credits?: string | undefined;
  isChosen?: boolean | undefined;
};

export const hasStartValues = ({ dollars, credits }: DepositStartValues): boolean => Boolean(dollars || credits);

export function toStartAmounts({ dollars, credits }: DepositStartValues, limit: PriceLimit): Partial<DepositDraft> {
  const isPackage = CREDIT_PACKAGES.some((each) => String(each) === credits);
  return {
    ...(dollars && parseTypedDollars(dollars, limit)),
    ...(credits && (isPackage ? { pack: credits } : { pack: CUSTOM_PACK, credits })),
  };
}

/** The parameters of the wallet's address from which {@link DepositStartValues} are read. */
export function toStartParams({ amount, credits }: { amount: number; credits?: number | null | undefined }) {
  return credits === null || credits === undefined
    ? { add: '1', dollars: String(amount), chosen: '1' }
    : { add: 'credits', credits: String(credits), chosen: '1' };
}

/** Returns the address of the payment step of a deposit. */
export function depositHref(amount: Parameters<typeof toStartParams>[0], next: string | undefined): string {
  const query = new URLSearchParams(toStartParams(amount));
  if (next) query.set('next', next);
  return `${PATHS.fanWallet}?${query}`;
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
  const text = normalizeDollars(dollars, addFunds.max);
  const parsed = parseDollars(text);
  const amount = parsed ?? 0;
  const quote = quoteAmount(toCents(amount), limits.valueCents);
  const error =
    parsed === undefined && text !== ''
      ? texts.validAmountRequired
      : amount < addFunds.min
        ? formatAddFundsRule(addFunds)
        : findCeilingError(quote, limits);
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
