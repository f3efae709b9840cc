/** A fan's money: balance, deposits, tips, history; and a creator's view of what came in (sections D and G of the rows). */
import * as z from 'zod/mini';
import { event } from './atoms/event.ts';
import { depositId, instant, transactionId, userId } from './atoms/ids.ts';
import {
  ADD_FUNDS_USD,
  CREDIT_PRICE_CENTS,
  CREDIT_VALUE_CENTS,
  CUSTOM_CREDITS,
  DEPOSIT_FEE_PERCENT,
  TIP_CENTS,
  TIP_NOTE_LENGTH,
} from './atoms/limits.ts';
import { asCents, type Cents, grossUp, signedUsd, usd, usdBetween } from './atoms/money.ts';
import { limit, offset, pageOf } from './atoms/paging.ts';
import { route } from './atoms/route.ts';
import { SALE_KINDS, STATEMENT_TYPES } from './money-kinds.ts';

/** What a deposit adds, costs and charges, all in cents. */
export type Quote = { amountCents: Cents; feeCents: Cents; payableCents: Cents };

/** Price of n credits = n × 1020 cents (money 1). */
export function quoteCredits(credits: number, valueCents: number = CREDIT_VALUE_CENTS): Quote {
  const amountCents = asCents(credits * valueCents);
  const payableCents = asCents(credits * CREDIT_PRICE_CENTS);
  return { amountCents, payableCents, feeCents: asCents(payableCents - amountCents) };
}

/** Payable for any USD of balance = amount / (1 − 0.02), two decimals (money 3). */
export function quoteAmount(amountCents: Cents): Quote {
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
  rate: 'money',
  idempotent: true,
  body: z.object({
    paymentProvider: z.enum(PAYMENT_PROVIDERS),
    /** USD of balance. */
    amount: usdBetween(ADD_FUNDS_USD.min * 100, ADD_FUNDS_USD.max * 100),
    /** When bought as credits: priced per credit instead of grossed up; must match `amount`. */
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
  response: z.object({ ceiling: usd, minimum: usd, isTestMode: z.boolean(), creditValue: usd }),
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
});
export type Deposit = z.infer<typeof deposit>;
/** Row D1: at least $100, $50 or $25. */
export const AMOUNT_FILTERS = [100, 50, 25] as const;
const minAmount = z.optional(z.coerce.number().check(z.gte(0), z.lte(1_000_000)));
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

export const transaction = z.object({
  id: transactionId,
  createdAt: instant,
  /** What has a kind or type that the contract does not know is `other`: no movement is left out. */
  type: z.enum(STATEMENT_TYPES),
  /** Signed: negative is paid, positive received. */
  amount: signedUsd,
  /** The balance after it. */
  balance: signedUsd,
  /** "Tip to Inês Valadão". */
  title: z.string(),
  /** "in profile", "post by …", "card ending in 4417". */
  detail: z.string(),
  /** The other side, when a person, and the thing bought, when there is one. */
  counterpart: z.nullable(
    z.object({ id: userId, username: z.string(), name: z.string(), avatarUrl: z.nullable(z.string()) }),
  ),
  href: z.nullable(z.string()),
});
export type Transaction = z.infer<typeof transaction>;
export const transactionHistory = route({
  method: 'GET',
  path: '/customer/transaction-history',
  summary: 'Every movement of the balance, newest first',
  auth: 'customer',
  rate: 'read',
  query: z.object({ limit, offset, type: z.optional(z.enum(STATEMENT_TYPES)), minAmount }),
  response: pageOf(transaction),
});
export const receipt = z.object({
  ...transaction.shape,
  /** Facts in the order shown: what, to whom, when, operation id. */
  lines: z.array(z.object({ label: z.string(), value: z.string() })),
  /** How the gross was shared, for a sale. */
  split: z.nullable(z.object({ gross: usd, platformFee: usd, feePercent: z.number(), creator: usd })),
});
export type Receipt = z.infer<typeof receipt>;
/** The fan who paid and the creator who received may each open it. */
export const getReceipt = route({
  method: 'GET',
  path: '/transactions/:id',
  summary: 'A receipt',
  auth: 'session',
  rate: 'read',
  params: z.object({ id: transactionId }),
  response: receipt,
  errors: ['NOT_FOUND'],
});

export const wallet = z.object({ available: usd, held: usd, spentToday: usd, dailyLimit: usd });
export type Wallet = z.infer<typeof wallet>;
export const getWallet = route({
  method: 'GET',
  path: '/customer/wallet',
  summary: 'Balance, what is held, and what may still be spent today',
  auth: 'customer',
  rate: 'read',
  response: wallet,
});

/** Where a tip was given. */
export const TIP_TYPES = ['chat', 'post', 'profile', 'call'] as const;
export const tipAmount = usdBetween(TIP_CENTS.min, TIP_CENTS.max);
export const sendTip = route({
  method: 'POST',
  path: '/tip/customer-send/:creatorId',
  summary: 'Tip a creator',
  auth: 'customer',
  rate: 'money',
  idempotent: true,
  params: z.object({ creatorId: userId }),
  body: z.object({
    amount: tipAmount,
    type: z.enum(TIP_TYPES),
    note: z._default(
      z.string().check(z.trim(), z.maxLength(TIP_NOTE_LENGTH, `At most ${TIP_NOTE_LENGTH} characters`)),
      '',
    ),
    /** The post it was given on, for `type: post`. */
    postId: z.optional(z.string().check(z.maxLength(36))),
  }),
  response: z.object({ deposit: usd, transactionId }),
  errors: ['NOT_FOUND', 'INSUFFICIENT_FUNDS', 'CONFLICT', 'FORBIDDEN'],
});

/** Row G1. */
const stat = z.object({ total: z.number(), today: z.number(), yesterday: z.number() });
export const creatorStats = route({
  method: 'GET',
  path: '/creator/stats',
  summary: 'Earnings (USD net), transactions and followers; each total, today and yesterday in UTC',
  auth: 'creator',
  rate: 'read',
  response: z.object({ earnings: stat, transactions: stat, followers: stat }),
});
export const creatorBalance = route({
  method: 'GET',
  path: '/creator/balance',
  summary: 'Pending, available, and when the next part clears',
  auth: 'creator',
  rate: 'read',
  response: z.object({ pending: usd, available: usd, thisWeek: usd, lastWeek: usd, nextClearsAt: z.nullable(instant) }),
});
export const earning = z.object({
  id: transactionId,
  createdAt: instant,
  /** A kind of sale (money-kinds.ts), or one that the contract does not know yet; `title` says it in words. */
  kind: z.string(),
  title: z.string(),
  gross: usd,
  platformFee: usd,
  feePercent: z.number(),
  net: usd,
  clearsAt: instant,
  isReversed: z.boolean(),
  fan: z.object({ name: z.string(), avatarUrl: z.nullable(z.string()) }),
  note: z.string(),
  detail: z.string(),
  href: z.nullable(z.string()),
});
export type Earning = z.infer<typeof earning>;
export const listEarnings = route({
  method: 'GET',
  path: '/creator/earnings',
  summary: 'Recent tips and unlocks with their split, newest first',
  auth: 'creator',
  rate: 'read',
  query: z.object({ limit, offset, kind: z.optional(z.enum(SALE_KINDS)) }),
  response: pageOf(earning),
});

/** Row G2. */
export const CHART_PERIODS = ['weekly', 'monthly', 'yearly'] as const;
export const chartEntry = z.object({
  date: z.optional(z.string()),
  month: z.optional(z.string()),
  year: z.optional(z.string()),
  totalEarnings: usd,
  transactionCount: z.number(),
  label: z.string(),
});
export const earningsChart = route({
  method: 'GET',
  path: '/creator/chart',
  summary: '7 days, 12 months or 3 years of net earnings, counted back from today in UTC',
  auth: 'creator',
  rate: 'read',
  query: z.object({ period: z._default(z.enum(CHART_PERIODS), 'weekly') }),
  response: z.object({ data: z.array(chartEntry) }),
});

/** To the fan's every tab: the balance after a movement. `transactionId` lets a client ignore what it knows. */
export const balanceChanged = event({
  name: 'BALANCE_CHANGED',
  audience: 'user',
  payload: z.object({ deposit: usd, transactionId: z.nullable(transactionId) }),
});
/** To the creator's every tab: something was earned. */
export const earningReceived = event({ name: 'EARNING_RECEIVED', audience: 'user', payload: earning });
/** To the fan's every tab: a post was bought, here or elsewhere. */
export const postUnlocked = event({
  name: 'POST_UNLOCKED',
  audience: 'user',
  payload: z.object({ postId: z.string() }),
});

/** Commission in percent: the general one, the promotional one while it runs, and what holds now. */
export const creatorFees = route({
  method: 'GET',
  path: '/creator/fees',
  summary: 'Which commission applies to own sales',
  auth: 'creator',
  rate: 'read',
  response: z.object({
    generalFee: z.number(),
    offerFee: z.nullable(z.number()),
    offerUntil: z.nullable(instant),
    effectiveFee: z.number(),
  }),
});
