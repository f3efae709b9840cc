/** Payout methods, requests and automatic payouts (rows G4, G6). */
import * as z from 'zod/mini';
import { day } from '../shared/days.ts';
import { instant, payoutId, payoutMethodId } from '../shared/ids.ts';
import { PAYOUT_METHODS_MAX } from '../shared/limits.ts';
import { inputUsd, usd } from '../shared/money.ts';
import { limit, offset, toPageSchema } from '../shared/paging.ts';
import { RECURRENCES } from '../shared/recurrence.ts';
import { route } from '../shared/route.ts';
import { singleLineName, singleLineText } from '../shared/single-line-text.ts';

export const PAYOUT_KINDS = ['ach', 'paypal', 'crypto'] as const;
export type PayoutKind = (typeof PAYOUT_KINDS)[number];
export const ACCOUNT_TYPES = ['Checking Account', 'Savings Account'] as const;
export const ACCOUNT_REGIONS = ['Domestic (USA)', 'International'] as const;
export const PAYOUT_STATES = ['requested', 'approved', 'rejected', 'transfered', 'inreview', 'cancel'] as const;
export type PayoutState = (typeof PAYOUT_STATES)[number];
export const TRANSFER_STATES = ['pending', 'processed', 'cancelled', 'failed'] as const;
export type TransferState = (typeof TRANSFER_STATES)[number];
export const PAYOUT_SOURCES = ['earnings', 'referrals'] as const;
export type PayoutSource = (typeof PAYOUT_SOURCES)[number];

/** Keys of the networks select the address validation, values are labels. */
export const COINS = {
  BTC: { bitcoin: 'Bitcoin' },
  ETH: { erc20: 'Ethereum (ERC-20)' },
  LTC: { litecoin: 'Litecoin' },
  USDT: { erc20: 'Ethereum (ERC-20)', tron: 'Tron (TRC-20)' },
  USDC: { erc20: 'Ethereum (ERC-20)' },
} as const satisfies Record<string, Readonly<Record<string, string>>>;
export type Coin = keyof typeof COINS;
const COIN_CODES = Object.keys(COINS).filter((key): key is Coin => key in COINS);
export const CRYPTO_NETWORKS = ['bitcoin', 'erc20', 'litecoin', 'tron'] as const;

export function findNetworkLabel(coin: Coin, network: string): string | undefined {
  const networks: Readonly<Record<string, string>> = COINS[coin];
  return Object.hasOwn(networks, network) ? networks[network] : undefined;
}

/** The sum of nine digits, weighted 3, 7, 1 repeatedly, is a multiple of ten. */
export function isAbaRouting(text: string): boolean {
  if (!/^\d{9}$/.test(text) || text === '000000000') return false;
  return [...text].reduce((sum, digit, index) => sum + Number(digit) * ([3, 7, 1][index % 3] ?? 0), 0) % 10 === 0;
}

/** IBAN check digits (ISO 13616, mod 97 of ISO 7064). Accepts numbers that are not IBANs. */
export function isValidAccountNumber(account: string): boolean {
  if (!/^[A-Z]{2}\d{2}/.test(account)) return true;
  const digits = [...account.slice(4), ...account.slice(0, 4)].map((sign) => Number.parseInt(sign, 36)).join('');
  return account.length >= 15 && BigInt(digits) % 97n === 1n;
}

const BIC = /^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/;
const createCompactCodeSchema = (pattern: RegExp, message: string) =>
  z.string().check(
    z.overwrite((text) => text.replace(/[\s-]+/g, '').toUpperCase()),
    z.regex(pattern, message),
  );

const achDetails = z
  .object({
    kind: z.literal('ach'),
    holder: singleLineName(60).check(
      z.regex(/^(?=.*\p{sc=Latin})(?:\P{L}|\p{sc=Latin}|\p{Lm})+$/u, 'Use Latin letters'),
    ),
    /** ABA routing number, or internationally the BIC. */
    routing: createCompactCodeSchema(/^[A-Z0-9]{8,11}$/, 'Check the routing number'),
    /** Account number, or internationally the IBAN where it exists. */
    account: createCompactCodeSchema(/^[A-Z0-9]{4,34}$/, 'Check the account number'),
    accountType: z.enum(ACCOUNT_TYPES),
    region: z.enum(ACCOUNT_REGIONS),
  })
  .check(
    z.refine(({ region, routing }) => (region === 'International' ? BIC.test(routing) : isAbaRouting(routing)), {
      message: 'Invalid routing number',
      path: ['routing'],
    }),
    z.refine(({ region, account }) => region === 'International' || account.length <= 17, {
      message: 'At most 17 characters',
      path: ['account'],
    }),
    z.refine(({ region, account }) => region !== 'International' || isValidAccountNumber(account), {
      message: 'Invalid IBAN',
      path: ['account'],
    }),
  );
const paypalDetails = z.object({
  kind: z.literal('paypal'),
  email: z.string().check(z.trim(), z.toLowerCase(), z.maxLength(254), z.email('Enter a valid email address')),
});
const cryptoDetails = z
  .object({
    kind: z.literal('crypto'),
    coin: z.enum(COIN_CODES),
    network: z.enum(CRYPTO_NETWORKS),
    address: singleLineText(120),
  })
  .check(
    z.refine(({ coin, network }) => findNetworkLabel(coin, network) !== undefined, {
      message: 'This coin isn’t supported on that network',
      path: ['network'],
    }),
  );
export const payoutDetails = z.discriminatedUnion('kind', [achDetails, paypalDetails, cryptoDetails]);
export type PayoutDetails = z.infer<typeof payoutDetails>;

const reauthenticationFields = {
  currentPassword: z.string('Enter your password').check(z.minLength(1, 'Enter your password'), z.maxLength(200)),
  code: z.optional(z.string().check(z.trim(), z.minLength(6), z.maxLength(20))),
};

export const PAYOUT_METHOD_STATES = ['cooling', 'usable', 'invalid'] as const;
export const payoutMethod = z.object({
  id: payoutMethodId,
  kind: z.enum(PAYOUT_KINDS),
  /** Masked: `Checking account ending in 4417, routing 091000019`. */
  label: z.string(),
  network: z.nullable(z.string()),
  state: z.enum(PAYOUT_METHOD_STATES),
  usableAt: instant,
  problem: z.nullable(z.string()),
  createdAt: instant,
});
export type PayoutMethod = z.infer<typeof payoutMethod>;

export const listPayoutMethods = route({
  method: 'GET',
  path: '/payout-methods',
  summary: 'List payout methods with masked details',
  auth: 'session',
  rate: 'read',
  response: z.object({
    data: z.array(payoutMethod),
    max: z.literal(PAYOUT_METHODS_MAX),
    coolingHours: z.number(),
  }),
});
export const addPayoutMethod = route({
  method: 'POST',
  path: '/payout-methods',
  summary: 'Add a payout method. It can be used after a cooling period',
  auth: 'session',
  rate: 'sensitive',
  body: z.object({ ...reauthenticationFields, details: payoutDetails }),
  response: payoutMethod,
  errors: ['CONFLICT', 'account_blocked'],
});
export const replacePayoutMethod = route({
  method: 'PUT',
  path: '/payout-methods/:id',
  summary: 'Replace a payout method, also in automatic payouts. Open payouts keep the previous one',
  auth: 'session',
  rate: 'sensitive',
  params: z.object({ id: payoutMethodId }),
  body: z.object({ ...reauthenticationFields, details: payoutDetails }),
  response: payoutMethod,
  errors: ['NOT_FOUND', 'account_blocked'],
});
export const removePayoutMethod = route({
  method: 'POST',
  path: '/payout-methods/:id/remove',
  summary: 'Remove a payout method. Fails with CONFLICT if an open or automatic payout uses it',
  auth: 'session',
  rate: 'sensitive',
  params: z.object({ id: payoutMethodId }),
  body: z.object(reauthenticationFields),
  response: z.object({ info: z.string() }),
  errors: ['NOT_FOUND', 'CONFLICT', 'account_blocked'],
});

export const PAYOUT_EVENTS = [
  'requested',
  'inreview',
  'approved',
  'rejected',
  'cancelled',
  'queued',
  'sent',
  'broadcast',
  'confirming',
  'unknown',
  'unsent',
  'paid',
  'failed',
  'returned',
] as const;
export const payoutEvent = z.object({
  event: z.enum(PAYOUT_EVENTS),
  label: z.string(),
  at: instant,
});

export const payout = z.object({
  id: payoutId,
  source: z.enum(PAYOUT_SOURCES),
  status: z.enum(PAYOUT_STATES),
  transfer: z.nullable(z.enum(TRANSFER_STATES)),
  amount: usd,
  fee: usd,
  net: usd,
  method: z.object({ id: payoutMethodId, kind: z.enum(PAYOUT_KINDS), label: z.string() }),
  isAutomatic: z.boolean(),
  reason: z.nullable(z.string()),
  canCancel: z.boolean(),
  createdAt: instant,
  updatedAt: instant,
});
export type Payout = z.infer<typeof payout>;
export const payoutDetail = z.extend(payout, {
  timeline: z.array(payoutEvent),
  /** Identifies it at the bank, at PayPal or on the blockchain. */
  reference: z.nullable(z.string()),
});
export type PayoutDetail = z.infer<typeof payoutDetail>;

export const requestPayout = route({
  method: 'POST',
  path: '/creator/payouts',
  summary: 'Request a payout from the available balance',
  auth: 'creator',
  rate: 'money',
  idempotent: true,
  body: z.object({ amount: inputUsd.check(z.gt(0, 'Please enter amount')), methodId: payoutMethodId }),
  response: payoutDetail,
  errors: ['NOT_FOUND', 'CONFLICT', 'FORBIDDEN', 'INSUFFICIENT_FUNDS', 'account_blocked'],
});
export const listPayouts = route({
  method: 'GET',
  path: '/creator/payouts',
  summary: 'List payouts, most recently changed first',
  auth: 'creator',
  rate: 'read',
  query: z.object({
    limit,
    offset,
    status: z.optional(z.enum(PAYOUT_STATES)),
    from: z.optional(day),
    to: z.optional(day),
  }),
  response: toPageSchema(payout),
});
export const getPayout = route({
  method: 'GET',
  path: '/creator/payouts/:id',
  summary: 'Retrieve a payout with its tracking history',
  auth: 'creator',
  rate: 'read',
  params: z.object({ id: payoutId }),
  response: payoutDetail,
  errors: ['NOT_FOUND'],
});
export const cancelPayout = route({
  method: 'POST',
  path: '/creator/payouts/:id/cancel',
  summary: 'Cancel a payout before it is approved',
  auth: 'creator',
  rate: 'write',
  params: z.object({ id: payoutId }),
  response: payoutDetail,
  errors: ['NOT_FOUND', 'CONFLICT'],
});
export const getPayoutOverview = route({
  method: 'GET',
  path: '/creator/payout-overview',
  summary: 'Retrieve the balance available for payout, or why no payout is possible',
  auth: 'creator',
  rate: 'read',
  response: z.object({
    available: usd,
    reserved: usd,
    minimum: z.object({ ach: usd, paypal: usd, crypto: usd }),
    problem: z.nullable(z.string()),
  }),
});

/** Each night the whole available balance is requested, on scheduled days or when it exceeds a sum. */
export const payoutRule = z
  .object({
    methodId: payoutMethodId,
    recurrence: z.nullable(z.enum(RECURRENCES)),
    threshold: z.nullable(inputUsd.check(z.gt(0, 'Please enter amount'))),
  })
  .check(
    z.refine(({ recurrence, threshold }) => (recurrence === null) !== (threshold === null), {
      message: 'Choose a schedule or an amount',
      path: ['recurrence'],
    }),
  );
const payoutRuleView = z.object({
  rule: z.nullable(payoutRule),
  /** UTC day; null for rules without days. */
  nextOn: z.nullable(z.iso.date()),
  /** The latest failure. Cleared when the rule succeeds or is set again. */
  lastFailure: z.nullable(z.object({ on: z.iso.date(), reason: z.string() })),
});
export type PayoutRuleView = z.infer<typeof payoutRuleView>;
export const getPayoutRule = route({
  method: 'GET',
  path: '/creator/payout-rule',
  summary: 'Retrieve the automatic payout settings',
  auth: 'creator',
  rate: 'read',
  response: payoutRuleView,
});
export const updatePayoutRule = route({
  method: 'PUT',
  path: '/creator/payout-rule',
  summary: 'Set or turn off automatic payouts',
  auth: 'creator',
  rate: 'write',
  body: z.object({ rule: z.nullable(payoutRule) }),
  response: payoutRuleView,
  errors: ['NOT_FOUND'],
});
