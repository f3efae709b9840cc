import * as z from 'zod/mini';
import { VERIFICATION_STATUSES } from '../compliance/verification.ts';
import { PAYOUT_KINDS, PAYOUT_SOURCES, PAYOUT_STATES, payoutDetail } from '../finance/payouts.ts';
import { day } from '../shared/days.ts';
import { instant, payoutBatchId, payoutId, transactionId, userId } from '../shared/ids.ts';
import { inputUsd, usd } from '../shared/money.ts';
import { limit, offset, toPageSchema } from '../shared/paging.ts';
import { fileResponse, route } from '../shared/route.ts';
import { singleLineText } from '../shared/single-line-text.ts';
import { reason } from './processor-webhooks.ts';

/** `wire`: bank accounts outside the USA. */
export const PAYOUT_RAILS = ['ach', 'wire', 'paypal', 'crypto'] as const;
export type PayoutRail = (typeof PAYOUT_RAILS)[number];

export const adminPayout = z.extend(payoutDetail, {
  number: z.string(),
  rail: z.enum(PAYOUT_RAILS),
  user: z.object({ id: userId, username: z.string(), name: z.string() }),
  approvals: z.array(z.string()),
  approvalsNeeded: z.number(),
  /** An outcome that a second operator must confirm before `until`. */
  claim: z.nullable(
    z.object({ step: z.enum(['failed', 'returned']), operator: z.string(), reason: z.string(), until: instant }),
  ),
  batchId: z.nullable(payoutBatchId),
  onHoldReason: z.nullable(z.string()),
});
export type AdminPayout = z.infer<typeof adminPayout>;

/** `onHold`: approved payouts that cannot be sent now. */
export const PAYOUT_QUEUES = ['toApprove', 'toSend', 'inTransit', 'toConfirm', 'onHold'] as const;
export type PayoutQueue = (typeof PAYOUT_QUEUES)[number];

export const listAdminPayouts = route({
  method: 'GET',
  path: '/admin/payouts',
  summary: 'List payouts, most recently changed first. Payouts to approve or send are listed oldest first',
  auth: 'operator',
  rate: 'read',
  query: z.object({
    limit,
    offset,
    queue: z.optional(z.enum(PAYOUT_QUEUES)),
    /** A number (`PO-000001`), or a complete username or e-mail address. */
    search: z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(254))),
    status: z.optional(z.enum(PAYOUT_STATES)),
    kind: z.optional(z.enum(PAYOUT_KINDS)),
    rail: z.optional(z.enum(PAYOUT_RAILS)),
    source: z.optional(z.enum(PAYOUT_SOURCES)),
    userId: z.optional(userId),
    batchId: z.optional(payoutBatchId),
    from: z.optional(day),
    to: z.optional(day),
  }),
  response: toPageSchema(adminPayout),
});

export const adminPayoutDetail = z.extend(adminPayout, {
  destination: z.object({
    addedAt: instant,
    usableAt: instant,
    problem: z.nullable(z.string()),
    arrivedCount: z.number(),
  }),
  verification: z.nullable(
    z.object({ status: z.enum(VERIFICATION_STATUSES), decidedAt: z.nullable(instant), hasSigned: z.boolean() }),
  ),
  problem: z.nullable(z.string()),
  /** An entry without an operator was caused by the owner, a rule or a service. */
  history: z.array(
    z.object({ label: z.string(), at: instant, operator: z.nullable(z.string()), reason: z.nullable(z.string()) }),
  ),
  transactions: z.array(
    z.object({
      transactionId,
      title: z.string(),
      at: instant,
      legs: z.array(z.object({ account: z.string(), amount: z.number() })),
    }),
  ),
});
export type AdminPayoutDetail = z.infer<typeof adminPayoutDetail>;
export const getAdminPayout = route({
  method: 'GET',
  path: '/admin/payouts/:id',
  summary: 'Retrieve a payout with its destination, history and ledger transactions',
  auth: 'operator',
  rate: 'read',
  params: z.object({ id: payoutId }),
  response: adminPayoutDetail,
  errors: ['NOT_FOUND'],
});

export const PAYOUT_DECISIONS = ['review', 'approve', 'reject'] as const;
export const decidePayout = route({
  method: 'POST',
  path: '/admin/payouts/:id/decision',
  summary: 'Review, approve or reject a payout. The reason for a rejection is shown to the user',
  auth: 'operator',
  rate: 'write',
  params: z.object({ id: payoutId }),
  body: z.object({ decision: z.enum(PAYOUT_DECISIONS), reason }),
  response: adminPayout,
  errors: ['NOT_FOUND', 'CONFLICT'],
});

export const TRANSFER_STEPS = ['sent', 'broadcast', 'confirming', 'paid', 'failed', 'returned'] as const;
export type TransferStep = (typeof TRANSFER_STEPS)[number];
export const recordTransferStep = route({
  method: 'POST',
  path: '/admin/payouts/:id/transfer',
  summary:
    'Record the outcome of a payout in transit. Repeating it has no effect, and failures above the limit need a second approval',
  auth: 'operator',
  rate: 'write',
  params: z.object({ id: payoutId }),
  body: z.object({
    step: z.enum(TRANSFER_STEPS),
    reference: z.optional(singleLineText(120)),
    code: z.optional(z.string().check(z.regex(/^R\d{2}$/, 'A code such as R03'))),
    reason,
  }),
  response: adminPayout,
  errors: ['NOT_FOUND', 'CONFLICT', 'UPSTREAM'],
});

const chainTransaction = singleLineText(120);
export const correctPayoutReference = route({
  method: 'POST',
  path: '/admin/payouts/:id/reference',
  summary: 'Replace a payout’s blockchain transaction that was mistyped or dropped',
  auth: 'operator',
  rate: 'write',
  params: z.object({ id: payoutId }),
  body: z.object({
    from: chainTransaction,
    to: chainTransaction,
    reason,
  }),
  response: adminPayout,
  errors: ['NOT_FOUND', 'CONFLICT'],
});

export const BATCH_STATES = ['ready', 'sending', 'unknown', 'sent', 'refused'] as const;
export const payoutBatch = z.object({
  id: payoutBatchId,
  rail: z.enum(PAYOUT_RAILS),
  state: z.enum(BATCH_STATES),
  count: z.number(),
  net: usd,
  fileName: z.nullable(z.string()),
  detail: z.nullable(z.string()),
  createdAt: instant,
});
export const listPayoutBatches = route({
  method: 'GET',
  path: '/admin/payout-batches',
  summary: 'List payout batches, newest first',
  auth: 'operator',
  rate: 'read',
  query: z.object({ limit, offset }),
  response: toPageSchema(payoutBatch),
});
export const listPayoutRails = route({
  method: 'GET',
  path: '/admin/payout-rails',
  summary: 'Summarize approved payouts to send, by payout method',
  auth: 'operator',
  rate: 'read',
  response: z.object({
    data: z.array(
      z.object({
        rail: z.enum(PAYOUT_RAILS),
        isSetUp: z.boolean(),
        count: z.number(),
        net: usd,
        /** These payouts cannot be paid now and are not in the next batch. */
        onHold: z.number(),
      }),
    ),
  }),
});
export const sendPayouts = route({
  method: 'POST',
  path: '/admin/payout-batches',
  summary: 'Send all approved payouts of one method: as an ACH file, through PayPal or as a list to process manually',
  auth: 'operator',
  killSwitches: ['payouts'],
  rate: 'write',
  idempotent: true,
  body: z.object({ rail: z.enum(PAYOUT_RAILS) }),
  response: payoutBatch,
  errors: ['CONFLICT', 'UPSTREAM'],
});
export const downloadPayoutBatch = route({
  method: 'POST',
  path: '/admin/payout-batches/:id/file',
  summary: 'Download the file of a payout batch with full account numbers. The download is recorded in the audit log',
  auth: 'operator',
  rate: 'sensitive',
  params: z.object({ id: payoutBatchId }),
  response: fileResponse,
  files: ['text/plain; charset=us-ascii', 'text/csv; charset=utf-8'],
  errors: ['NOT_FOUND', 'CONFLICT'],
});

/**
 * `quarantined`: an operator must decide. `booked`: PayPal was queried and its response is booked. `ignored`: not
 * relevant.
 */
export const PAYOUT_WEBHOOK_STATES = ['received', 'booked', 'ignored', 'quarantined', 'dismissed'] as const;
export const PAYOUT_WEBHOOK_DECISIONS = ['retry', 'dismiss'] as const;
export const payoutWebhook = z.object({
  id: z.string(),
  eventType: z.string(),
  receivedAt: instant,
  receivedCount: z.number(),
  state: z.enum(PAYOUT_WEBHOOK_STATES),
  reason: z.nullable(z.string()),
  batchRef: z.nullable(z.string()),
  itemRef: z.nullable(z.string()),
  payout: z.nullable(
    z.object({
      id: payoutId,
      number: z.string(),
      net: usd,
      user: z.object({ username: z.string(), name: z.string() }),
    }),
  ),
  decisions: z.array(
    z.object({
      decision: z.enum(PAYOUT_WEBHOOK_DECISIONS),
      reason: z.string(),
      decidedAt: instant,
      operator: z.string(),
    }),
  ),
});
export const listPayoutWebhooks = route({
  method: 'GET',
  path: '/admin/payout-webhooks',
  summary: 'List PayPal payout webhooks, newest first. By default those that need attention',
  auth: 'operator',
  rate: 'read',
  query: z.object({ limit, offset, state: z._default(z.enum(PAYOUT_WEBHOOK_STATES), 'quarantined') }),
  response: toPageSchema(payoutWebhook),
});
export const decidePayoutWebhook = route({
  method: 'POST',
  path: '/admin/payout-webhooks/:id/decision',
  summary: 'Retry a PayPal payout webhook, or dismiss it with a reason',
  auth: 'operator',
  rate: 'sensitive',
  params: z.object({ id: z.string().check(z.minLength(1), z.maxLength(100)) }),
  body: z.object({ decision: z.enum(PAYOUT_WEBHOOK_DECISIONS), reason }),
  response: payoutWebhook,
  errors: ['NOT_FOUND', 'CONFLICT'],
});

const percent = z.number().check(z.gte(0), z.lte(50));
export const payoutSettings = z.object({
  minimum: inputUsd.check(z.gt(0)),
  cryptoMinimum: inputUsd.check(z.gt(0)),
  referralsMinimum: inputUsd.check(z.gt(0)),
  referralsFeePercent: percent,
  coolingHours: z.number().check(z.int(), z.gte(0), z.lte(720)),
  secondApprover: inputUsd,
});
export const getPayoutSettings = route({
  method: 'GET',
  path: '/admin/payout-settings',
  summary: 'Retrieve payout minimums, fee, cooling period and second approval limit',
  auth: 'operator',
  rate: 'read',
  response: payoutSettings,
});
export const updatePayoutSettings = route({
  method: 'PUT',
  path: '/admin/payout-settings',
  summary:
    'Update payout settings. Fails with CONFLICT if the values have changed. A higher limit or a shorter cooling period needs a second approval',
  auth: 'operator',
  rate: 'write',
  body: z.object({ from: payoutSettings, to: payoutSettings, reason }),
  response: payoutSettings,
  errors: ['CONFLICT'],
});
