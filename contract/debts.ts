/** What fans owe, and who may not spend: for the operator's desk. */
import * as z from 'zod/mini';
import { instant, transactionId, userId } from './atoms/ids.ts';
import { usd } from './atoms/money.ts';
import { limit, offset, pageOf } from './atoms/paging.ts';
import { route } from './atoms/route.ts';
import { moneyAct } from './money-act-view.ts';
import { ground } from './processor-desk.ts';

/** `writeOff` makes a loss of all that is owed, and with it the block for it ends; `unblock` leaves the debt. */
export const DEBT_DECISIONS = ['writeOff', 'block', 'unblock'] as const;

/** What was taken back and is owed still. */
export const debtPart = z.object({
  transactionId,
  /** In plain words, and when. */
  title: z.string(),
  at: instant,
  amount: usd,
});

/** Why spending is blocked: something is owed, or a person decided it. */
export const BLOCK_REASONS = ['debt', 'person'] as const;

export const debtor = z.object({
  fan: z.object({ id: userId, username: z.string(), name: z.string() }),
  owed: usd,
  blocked: z.nullable(z.enum(BLOCK_REASONS)),
  parts: z.array(debtPart),
  /** What one operator would let go of, waiting for a second one. */
  waits: z.nullable(moneyAct),
  decisions: z.array(
    z.object({
      decision: z.enum(DEBT_DECISIONS),
      ground: z.string(),
      /** What was written off; what was owed when it was blocked or unblocked. */
      amount: usd,
      decidedAt: instant,
      /** Who; null is the command on the machine. */
      operator: z.nullable(z.string()),
    }),
  ),
});

export const listDebtors = route({
  method: 'GET',
  path: '/admin/debtors',
  summary: 'Fans who owe, or may not spend',
  auth: 'operator',
  rate: 'read',
  query: z.object({ limit, offset }),
  response: pageOf(debtor),
});
export const decideDebt = route({
  method: 'POST',
  path: '/admin/debtors/:id/decision',
  summary: 'Write off what a fan owes, or block or allow their spending, with a ground',
  auth: 'operator',
  rate: 'sensitive',
  params: z.object({ id: userId }),
  body: z.object({ decision: z.enum(DEBT_DECISIONS), ground }),
  response: debtor,
  errors: ['NOT_FOUND', 'CONFLICT'],
});
