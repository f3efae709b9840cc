import * as z from 'zod/mini';
import { instant, transactionId, userId } from '../shared/ids.ts';
import { usd } from '../shared/money.ts';
import { limit, offset, toPageSchema } from '../shared/paging.ts';
import { route } from '../shared/route.ts';
import { approvalRequest } from './approval-request.ts';
import { reason } from './processor-webhooks.ts';

/** `writeOff` books the whole debt as a loss and ends its block. `unblock` leaves the debt. */
export const DEBT_DECISIONS = ['writeOff', 'block', 'unblock'] as const;

export const debtPart = z.object({
  transactionId,
  title: z.string(),
  at: instant,
  amount: usd,
});

export const SPENDING_BLOCK_REASONS = ['debt', 'operator'] as const;

export const debtor = z.object({
  fan: z.object({ id: userId, username: z.string(), name: z.string() }),
  owed: usd,
  blocked: z.nullable(z.enum(SPENDING_BLOCK_REASONS)),
  parts: z.array(debtPart),
  pendingApproval: z.nullable(approvalRequest),
  decisions: z.array(
    z.object({
      decision: z.enum(DEBT_DECISIONS),
      reason: z.string(),
      /** The written-off sum, or the debt at that time. */
      amount: usd,
      decidedAt: instant,
      operator: z.nullable(z.string()),
    }),
  ),
});

export const listDebtors = route({
  method: 'GET',
  path: '/admin/debtors',
  summary: 'List fans with an outstanding balance or blocked spending',
  auth: 'operator',
  rate: 'read',
  query: z.object({ limit, offset }),
  response: toPageSchema(debtor),
});
export const decideDebt = route({
  method: 'POST',
  path: '/admin/debtors/:id/decision',
  summary: 'Write off the outstanding balance of a fan, or block or unblock their spending',
  auth: 'operator',
  rate: 'sensitive',
  params: z.object({ id: userId }),
  body: z.object({ decision: z.enum(DEBT_DECISIONS), reason }),
  response: debtor,
  errors: ['NOT_FOUND', 'CONFLICT'],
});
