/** A fan's money: balance, tips, and every movement in words (section D of the rows). */
import * as z from 'zod/mini';
import { event } from './atoms/event.ts';
import { callId, instant, transactionId, userId } from './atoms/ids.ts';
import { TIP_NOTE_LENGTH } from './atoms/limits.ts';
import { askedUsd, balance, signedUsd, usd } from './atoms/money.ts';
import { limit, offset, pageOf } from './atoms/paging.ts';
import { route } from './atoms/route.ts';
import { CALL_KINDS } from './call-states.ts';
import { BLOCK_REASONS, debtPart } from './debts.ts';
import { STATEMENT_TYPES } from './money-kinds.ts';
import { minAmount } from './payments.ts';

export const transaction = z.object({
  id: transactionId,
  createdAt: instant,
  /** What has a kind or type that the contract does not know is `other`: no movement is left out. */
  type: z.enum(STATEMENT_TYPES),
  /** Signed: negative is paid or owed, positive received. What went from the balance to what is owed is 0. */
  amount: signedUsd,
  /** What it changed of what is owed: positive is more. The balance itself moved by `amount + owed`. */
  owed: signedUsd,
  /** The balance less what is owed, after it. */
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
  /** The call that it is of, as a whole: what it set aside, charged and gave back, however many movements that is. */
  call: z.nullable(
    z.object({
      id: callId,
      kind: z.enum(CALL_KINDS),
      seconds: z.number(),
      /** A minute. */
      rate: usd,
      held: usd,
      charged: usd,
      /** What is left of `held` once it is over; 0 before. */
      released: usd,
      /** What of `charged` was given back since, by refunds, which are movements of their own. */
      givenBack: usd,
      isOver: z.boolean(),
    }),
  ),
});
export type Transaction = z.infer<typeof transaction>;
export const transactionHistory = route({
  method: 'GET',
  path: '/customer/transaction-history',
  summary: 'Every movement of the balance and of what is owed, newest first',
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

/** `available` is the balance, of `depositRevision`. */
export const wallet = z.object({
  available: usd,
  depositRevision: balance.depositRevision,
  held: usd,
  spentToday: usd,
  dailyLimit: usd,
  /** What is owed of payments that were taken back, and of which, oldest first. What comes in goes there first. */
  owed: usd,
  parts: z.array(debtPart),
  /** Why nothing can be spent; null when it can. */
  blocked: z.nullable(z.enum(BLOCK_REASONS)),
});
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
export const sendTip = route({
  method: 'POST',
  path: '/tip/customer-send/:creatorId',
  summary: 'Tip a creator',
  auth: 'customer',
  switches: ['tips'],
  rate: 'money',
  idempotent: true,
  params: z.object({ creatorId: userId }),
  body: z.object({
    /** The server holds it to the limits in force. */
    amount: askedUsd,
    type: z.enum(TIP_TYPES),
    note: z._default(
      z.string().check(z.trim(), z.maxLength(TIP_NOTE_LENGTH, `At most ${TIP_NOTE_LENGTH} characters`)),
      '',
    ),
    /** The post it was given on, for `type: post`. */
    postId: z.optional(z.string().check(z.maxLength(36))),
    /** The goal it goes toward, for `type: profile`. */
    goalId: z.optional(z.string().check(z.maxLength(36))),
  }),
  response: z.object({ ...balance, transactionId }),
  errors: ['NOT_FOUND', 'INSUFFICIENT_FUNDS', 'CONFLICT', 'FORBIDDEN'],
});

/** To the fan's every tab: the balance after a movement. `transactionId` lets a client ignore what it knows. */
export const balanceChanged = event({
  name: 'BALANCE_CHANGED',
  audience: 'user',
  payload: z.object({ ...balance, transactionId: z.nullable(transactionId) }),
});

/** To the fan's every tab: what they owe changed by `amount`, or whether they may spend. The rest is how it stands after it. */
export const debtChanged = event({
  name: 'DEBT_CHANGED',
  audience: 'user',
  payload: z.object({
    change: z.enum(['owed', 'workedOff', 'writtenOff', 'won', 'notWon', 'blocked', 'unblocked']),
    amount: usd,
    owed: usd,
    isBlocked: z.boolean(),
  }),
});

/** To the fan's every tab: what was set aside is back, as its time was over. */
export const holdExpired = event({
  name: 'HOLD_EXPIRED',
  audience: 'user',
  payload: z.object({ amount: usd, purpose: z.string() }),
});
