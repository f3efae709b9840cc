/** Deposits by card (section D of the specification). */
import * as z from 'zod/mini';
import { depositId, instant } from '../shared/ids.ts';
import {
  CREDIT_PRICE_CENTS,
  CREDIT_VALUE_CENTS,
  CUSTOM_CREDITS,
  DEPOSIT_FEE_PERCENT,
  DESTINATION_LENGTH,
} from '../shared/limits.ts';
import { asCents, type Cents, grossUp, inputUsd, usd } from '../shared/money.ts';
import { formatUnderstoodInteger, toAsciiDigits } from '../shared/money-input.ts';
import { limit, offset, toPageSchema } from '../shared/paging.ts';
import { route } from '../shared/route.ts';

export type DepositQuote = { amountCents: Cents; feeCents: Cents; payableCents: Cents };

/** n × 1020 cents (docs/money.md, rule 1). */
export function quoteCredits(credits: number, valueCents: number = CREDIT_VALUE_CENTS): DepositQuote {
  const amountCents = asCents(credits * valueCents);
  const payableCents = asCents(credits * CREDIT_PRICE_CENTS);
  return { amountCents, payableCents, feeCents: asCents(payableCents - amountCents) };
}

/**
 * amount / (1 − 0.02) with two decimals. Whole credits cost what credits cost, so that a balance has one price
 * (docs/money.md, rule 3).
 */
export function quoteAmount(amountCents: Cents, valueCents: number = CREDIT_VALUE_CENTS): DepositQuote {
  if (amountCents % valueCents === 0) return quoteCredits(amountCents / valueCents, valueCents);
  const payableCents = grossUp(amountCents, DEPOSIT_FEE_PERCENT);
  return { amountCents, payableCents, feeCents: asCents(payableCents - amountCents) };
}

export const CUSTOM_CREDITS_RULE = `Amount must be between ${CUSTOM_CREDITS.min} to ${CUSTOM_CREDITS.max}`;
export const CUSTOM_CREDITS_TOAST = `Invalid amount. ${CUSTOM_CREDITS_RULE}`;
export const PAYMENT_FAILED = 'payment request failed. try after sometime';
/** In credits. A negative number is made positive (row D2). */
export const customCredits = z.pipe(
  z.pipe(
    z.string('Please enter amount').check(
      z.trim(),
      z.overwrite((text: string) => formatUnderstoodInteger(text) ?? toAsciiDigits(text)),
      z.minLength(1, 'Please enter amount'),
      z.regex(/^-?\d+(?:\.\d+)?$/, 'Value must be a number'),
    ),
    z.transform((text: string) => Math.abs(Number(text))),
  ),
  z
    .number()
    .check(
      z.int('Please enter valid amount'),
      z.gt(0, 'Please enter valid amount'),
      z.gte(CUSTOM_CREDITS.min, CUSTOM_CREDITS_RULE),
      z.lte(CUSTOM_CREDITS.max, CUSTOM_CREDITS_RULE),
    ),
);

export const PAYMENT_PROVIDERS = ['ccbill'] as const;
export const depositFunds = route({
  method: 'POST',
  path: '/customer/deposite-fund',
  summary: 'Start a deposit and return the `paymentUrl` to redirect to',
  auth: 'customer',
  killSwitches: ['deposits'],
  rate: 'money',
  idempotent: true,
  body: z.object({
    paymentProvider: z.enum(PAYMENT_PROVIDERS),
    /** USD of balance. The server checks the limits in force. */
    amount: inputUsd,
    credits: z.optional(
      z
        .number()
        .check(z.int(), z.gte(CUSTOM_CREDITS.min, CUSTOM_CREDITS_RULE), z.lte(CUSTOM_CREDITS.max, CUSTOM_CREDITS_RULE)),
    ),
    /** The page of this site to which the fan continues after the payment. An address of another site is ignored. */
    returnPath: z.optional(z.string().check(z.maxLength(DESTINATION_LENGTH))),
  }),
  response: z.object({ paymentUrl: z.string(), depositId }),
  errors: ['CONFLICT', 'UPSTREAM', 'FORBIDDEN'],
});
/** Limits of the payment processor. */
export const getDepositOptions = route({
  method: 'GET',
  path: '/customer/deposit-options',
  summary: 'Retrieve the card processor’s limits and mode',
  auth: 'customer',
  rate: 'read',
  response: z.object({
    max: usd,
    min: usd,
    isTestMode: z.boolean(),
    /** Whether cards can pay subscriptions. */
    hasSubscriptions: z.boolean(),
    creditValue: usd,
    descriptor: z.string(),
  }),
});

/** `pending` is shown as Requested (row D6). */
export const DEPOSIT_STATES = ['pending', 'success', 'failed'] as const;
export const DEPOSIT_STATE_LABELS = { pending: 'Requested', success: 'Success', failed: 'Failed' } as const;
export const deposit = z.object({
  id: depositId,
  createdAt: instant,
  updatedAt: instant,
  status: z.enum(DEPOSIT_STATES),
  amount: usd,
  fee: usd,
  paid: usd,
  credits: z.nullable(z.number()),
  card: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  reversed: usd,
  /** The part of the deposit that paid debt. */
  debtPaid: usd,
  returnPath: z.nullable(z.string()),
  /** A card payment of a subscription, not funds that the fan added. */
  isSubscription: z.boolean(),
  /** The card payment of a subscription that could not start or continue. The money remains in the balance. */
  isUnused: z.boolean(),
});
export type Deposit = z.infer<typeof deposit>;
/** See row D1 of the specification. */
export const AMOUNT_FILTERS = [100, 50, 25] as const;
export const minAmount = z.optional(z.coerce.number().check(z.gte(0), z.lte(1_000_000)));
export const getDepositHistory = route({
  method: 'GET',
  path: '/customer/deposite-history',
  summary: 'List deposits, most recently changed first',
  auth: 'customer',
  rate: 'read',
  query: z.object({ limit, offset, status: z.optional(z.enum(DEPOSIT_STATES)), minAmount }),
  response: toPageSchema(deposit),
});
export const getDeposit = route({
  method: 'GET',
  path: '/customer/deposit/:id',
  summary: 'Retrieve a deposit',
  auth: 'customer',
  rate: 'read',
  params: z.object({ id: depositId }),
  response: deposit,
  errors: ['NOT_FOUND'],
});
