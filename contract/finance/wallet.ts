/** A fan's wallet (section D of the specification). */
import * as z from 'zod/mini';
import { debtPart, SPENDING_BLOCK_REASONS } from '../admin/debts.ts';
import { minAmount } from '../commerce/deposits.ts';
import { STATEMENT_TYPES } from '../commerce/money-kinds.ts';
import { CALL_END_REASONS, CALL_KINDS } from '../messaging/call-states.ts';
import { event } from '../shared/event.ts';
import { callId, instant, transactionId, userId } from '../shared/ids.ts';
import { TIP_NOTE_LENGTH } from '../shared/limits.ts';
import { balanceFields, inputUsd, signedUsd, usd } from '../shared/money.ts';
import { limit, offset, toPageSchema } from '../shared/paging.ts';
import { route } from '../shared/route.ts';

export const walletTransaction = z.object({
  id: transactionId,
  createdAt: instant,
  /** `other` for unknown kinds, so that no transaction is left out. */
  type: z.enum(STATEMENT_TYPES),
  /** Negative if the fan paid or owes it. 0 for a payment from the balance to the debt. What a call cost, in a list. */
  amount: signedUsd,
  /** Positive means more debt. The balance changed by `amount + owed`. */
  owed: signedUsd,
  /** Balance minus debt. For a call in a list: after the first amount was held. */
  balance: signedUsd,
  /** "Tip to Inês Valadão" */
  title: z.string(),
  detail: z.string(),
  otherUser: z.nullable(
    z.object({ id: userId, username: z.string(), name: z.string(), avatarUrl: z.nullable(z.string()) }),
  ),
  href: z.nullable(z.string()),
  /** The whole call. `getCallLog` has its transactions. */
  call: z.nullable(
    z.object({
      id: callId,
      kind: z.enum(CALL_KINDS),
      seconds: z.number(),
      rate: usd,
      held: usd,
      charged: usd,
      released: usd,
      /** Refunds are transactions of their own. */
      refunded: usd,
      isOver: z.boolean(),
      /** Why it ended, as the fan sees it. Null while it is open. */
      reason: z.nullable(z.enum(CALL_END_REASONS)),
    }),
  ),
});
export type WalletTransaction = z.infer<typeof walletTransaction>;
/** A call is one transaction here, at the time when it began. */
export const getTransactionHistory = route({
  method: 'GET',
  path: '/customer/transaction-history',
  summary: 'List transactions that changed your balance or outstanding balance, newest first',
  auth: 'customer',
  rate: 'read',
  query: z.object({ limit, offset, type: z.optional(z.enum(STATEMENT_TYPES)), minAmount }),
  response: toPageSchema(walletTransaction),
});
export const transactionReceipt = z.object({
  ...walletTransaction.shape,
  /** `at` is the instant that `value` shows in UTC. Pages show it in the reader's time zone. */
  lines: z.array(z.object({ label: z.string(), value: z.string(), at: z.optional(instant) })),
  split: z.nullable(z.object({ gross: usd, platformFee: usd, feePercent: z.number(), creator: usd })),
});
export type TransactionReceipt = z.infer<typeof transactionReceipt>;
/** The fan who paid and the creator who received may open it. */
export const getReceipt = route({
  method: 'GET',
  path: '/transactions/:id',
  summary: 'Get a receipt',
  auth: 'session',
  rate: 'read',
  params: z.object({ id: transactionId }),
  response: transactionReceipt,
  errors: ['NOT_FOUND'],
});

/** `available` is the balance with this `depositRevision`. */
export const wallet = z.object({
  available: usd,
  depositRevision: balanceFields.depositRevision,
  held: usd,
  spentToday: usd,
  dailyLimit: usd,
  /** Debt from reversed payments, oldest first. Incoming money pays it first. */
  owed: usd,
  parts: z.array(debtPart),
  blocked: z.nullable(z.enum(SPENDING_BLOCK_REASONS)),
});
export type Wallet = z.infer<typeof wallet>;
export const getWallet = route({
  method: 'GET',
  path: '/customer/wallet',
  summary: 'Get your balance, amount on hold and daily spending limit',
  auth: 'customer',
  rate: 'read',
  response: wallet,
});

export const TIP_TYPES = ['chat', 'post', 'profile', 'call'] as const;
export const sendTip = route({
  method: 'POST',
  path: '/tip/customer-send/:creatorId',
  summary: 'Tip a creator',
  auth: 'customer',
  killSwitches: ['tips'],
  rate: 'money',
  idempotent: true,
  params: z.object({ creatorId: userId }),
  body: z.object({
    amount: inputUsd,
    type: z.enum(TIP_TYPES),
    note: z._default(
      z.string().check(z.trim(), z.maxLength(TIP_NOTE_LENGTH, `At most ${TIP_NOTE_LENGTH} characters`)),
      '',
    ),
    postId: z.optional(z.string().check(z.maxLength(36))),
    goalId: z.optional(z.string().check(z.maxLength(36))),
  }),
  response: z.object({ ...balanceFields, transactionId }),
  errors: ['NOT_FOUND', 'INSUFFICIENT_FUNDS', 'CONFLICT', 'FORBIDDEN'],
});

/** `transactionId` lets a client ignore a known one. */
export const balanceChanged = event({
  name: 'BALANCE_CHANGED',
  audience: 'user',
  payload: z.object({ ...balanceFields, transactionId: z.nullable(transactionId) }),
});

/** The debt changed by `amount`, or spending was blocked or unblocked. The other fields are the state afterwards. */
export const debtChanged = event({
  name: 'DEBT_CHANGED',
  audience: 'user',
  payload: z.object({
    change: z.enum(['owed', 'repaid', 'writtenOff', 'won', 'notWon', 'blocked', 'unblocked']),
    amount: usd,
    owed: usd,
    isBlocked: z.boolean(),
  }),
});

/** The held money is available again. */
export const holdExpired = event({
  name: 'HOLD_EXPIRED',
  audience: 'user',
  payload: z.object({ amount: usd, purpose: z.string() }),
});
