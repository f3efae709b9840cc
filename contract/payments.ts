/** Adding funds by card: what it costs, the order at the processor, and what became of it (section D of the rows). */
import * as z from 'zod/mini';
import { depositId, instant } from './atoms/ids.ts';
import { CREDIT_PRICE_CENTS, CREDIT_VALUE_CENTS, CUSTOM_CREDITS, DEPOSIT_FEE_PERCENT } from './atoms/limits.ts';
import { asCents, askedUsd, type Cents, grossUp, usd } from './atoms/money.ts';
import { limit, offset, pageOf } from './atoms/paging.ts';
import { route } from './atoms/route.ts';

/** What a deposit adds, costs and charges, all in cents. */
export type Quote = { amountCents: Cents; feeCents: Cents; payableCents: Cents };

/** Price of n credits = n × 1020 cents (money 1). */
export function quoteCredits(credits: number, valueCents: number = CREDIT_VALUE_CENTS): Quote {
  const amountCents = asCents(credits * valueCents);
  const payableCents = asCents(credits * CREDIT_PRICE_CENTS);
  return { amountCents, payableCents, feeCents: asCents(payableCents - amountCents) };
}

/**
 * Payable for any USD of balance = amount / (1 − 0.02), two decimals; a sum of whole credits costs what the credits cost, so that one
 * balance has one price (money 3).
 */
export function quoteAmount(amountCents: Cents, valueCents: number = CREDIT_VALUE_CENTS): Quote {
  if (amountCents % valueCents === 0) return quoteCredits(amountCents / valueCents, valueCents);
  const payableCents = grossUp(amountCents, DEPOSIT_FEE_PERCENT);
  return { amountCents, payableCents, feeCents: asCents(payableCents - amountCents) };
}

export const CUSTOM_CREDITS_RULE = `Amount must be between ${CUSTOM_CREDITS.min} to ${CUSTOM_CREDITS.max}`;
export const CUSTOM_CREDITS_TOAST = `Invalid amount. ${CUSTOM_CREDITS_RULE}`;
export const PAYMENT_FAILED = 'payment request failed. try after sometime';
/** The custom amount's field, in credits, from its text (row D2). The absolute value is used. */
export const customCredits = z.pipe(
  z.pipe(
    z
      .string('Please enter amount')
      .check(z.trim(), z.minLength(1, 'Please enter amount'), z.regex(/^-?\d+(?:\.\d+)?$/, 'Value must be a number')),
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
  summary: 'Start a deposit; the browser is then sent to `paymentUrl`',
  auth: 'customer',
  switches: ['deposits'],
  rate: 'money',
  idempotent: true,
  body: z.object({
    paymentProvider: z.enum(PAYMENT_PROVIDERS),
    /** USD of balance; the server holds it to the limits in force. */
    amount: askedUsd,
    /** When bought as credits; must match `amount`. */
    credits: z.optional(
      z
        .number()
        .check(z.int(), z.gte(CUSTOM_CREDITS.min, CUSTOM_CREDITS_RULE), z.lte(CUSTOM_CREDITS.max, CUSTOM_CREDITS_RULE)),
    ),
  }),
  response: z.object({ paymentUrl: z.string(), depositId }),
  errors: ['CONFLICT', 'UPSTREAM', 'FORBIDDEN'],
});
/** What the operator's processor allows: the dialog explains what is above it. */
export const depositOptions = route({
  method: 'GET',
  path: '/customer/deposit-options',
  summary: 'Price ceiling and mode of the card processor',
  auth: 'customer',
  rate: 'read',
  /** `descriptor`: what the payer’s card statement says. */
  response: z.object({ ceiling: usd, minimum: usd, isTestMode: z.boolean(), creditValue: usd, descriptor: z.string() }),
});

/** Row D6; `pending` is shown as Requested. */
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
  /** Card brand and last four, once known. */
  card: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  /** What was taken back by refund or chargeback. */
  reversed: usd,
  /** What of it was kept for what was owed. */
  kept: usd,
});
export type Deposit = z.infer<typeof deposit>;
/** Row D1: at least $100, $50 or $25. */
export const AMOUNT_FILTERS = [100, 50, 25] as const;
export const minAmount = z.optional(z.coerce.number().check(z.gte(0), z.lte(1_000_000)));
export const depositHistory = route({
  method: 'GET',
  path: '/customer/deposite-history',
  summary: 'Deposits, most recently changed first',
  auth: 'customer',
  rate: 'read',
  query: z.object({ limit, offset, status: z.optional(z.enum(DEPOSIT_STATES)), minAmount }),
  response: pageOf(deposit),
});
export const getDeposit = route({
  method: 'GET',
  path: '/customer/deposit/:id',
  summary: 'One deposit, as the return page polls it',
  auth: 'customer',
  rate: 'read',
  params: z.object({ id: depositId }),
  response: deposit,
  errors: ['NOT_FOUND'],
});
