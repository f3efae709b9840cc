import * as z from 'zod/mini';
import { day } from './atoms/days.ts';
import { instant, payoutBatchId, payoutId, transactionId, userId } from './atoms/ids.ts';
import { line } from './atoms/lines.ts';
import { askedUsd, usd } from './atoms/money.ts';
import { limit, offset, pageOf } from './atoms/paging.ts';
import { fileAnswer, route } from './atoms/route.ts';
import { PAYOUT_KINDS, PAYOUT_SOURCES, PAYOUT_STATES, payoutDetail } from './payouts.ts';
import { ground } from './processor-desk.ts';
import { VERIFICATION_STATUSES } from './verification.ts';

/** `wire`: bank accounts outside the USA. */
export const RAILS = ['ach', 'wire', 'paypal', 'crypto'] as const;
export type Rail = (typeof RAILS)[number];

export const deskPayout = z.extend(payoutDetail, {
  number: z.string(),
  rail: z.enum(RAILS),
  person: z.object({ id: userId, username: z.string(), name: z.string() }),
  approvals: z.array(z.string()),
  approvalsNeeded: z.number(),
  /** An outcome that a second operator must confirm before `until`. */
  claim: z.nullable(
    z.object({ step: z.enum(['failed', 'returned']), operator: z.string(), ground: z.string(), until: instant }),
  ),
  batchId: z.nullable(payoutBatchId),
  heldBack: z.nullable(z.string()),
});
export type DeskPayout = z.infer<typeof deskPayout>;

/** `heldBack`: approved payouts that cannot be sent now. */
export const PAYOUT_QUEUES = ['toApprove', 'toSend', 'onTheWay', 'toConfirm', 'heldBack'] as const;
export type PayoutQueue = (typeof PAYOUT_QUEUES)[number];

export const listDeskPayouts = route({
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
    rail: z.optional(z.enum(RAILS)),
    source: z.optional(z.enum(PAYOUT_SOURCES)),
    userId: z.optional(userId),
    batchId: z.optional(payoutBatchId),
    from: z.optional(day),
    to: z.optional(day),
  }),
  response: pageOf(deskPayout),
});

export const payoutCase = z.extend(deskPayout, {
  destination: z.object({
    addedAt: instant,
    usableAt: instant,
    problem: z.nullable(z.string()),
    arrived: z.number(),
  }),
  verification: z.nullable(
    z.object({ status: z.enum(VERIFICATION_STATUSES), decidedAt: z.nullable(instant), hasSigned: z.boolean() }),
  ),
  problem: z.nullable(z.string()),
  /** An entry without an operator was caused by the owner, a rule or a service. */
  history: z.array(
    z.object({ words: z.string(), at: instant, operator: z.nullable(z.string()), ground: z.nullable(z.string()) }),
  ),
  working: z.array(
    z.object({
      transactionId,
      title: z.string(),
      at: instant,
      lines: z.array(z.object({ account: z.string(), amount: z.number() })),
    }),
  ),
});
export type PayoutCase = z.infer<typeof payoutCase>;
export const readDeskPayout = route({
  method: 'GET',
  path: '/admin/payouts/:id',
  summary: 'Retrieve a payout with its destination, history and ledger transactions',
  auth: 'operator',
  rate: 'read',
  params: z.object({ id: payoutId }),
  response: payoutCase,
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
  body: z.object({ decision: z.enum(PAYOUT_DECISIONS), ground }),
  response: deskPayout,
  errors: ['NOT_FOUND', 'CONFLICT'],
});

export const TRANSFER_STEPS = ['sent', 'broadcast', 'confirming', 'paid', 'failed', 'returned'] as const;
export type TransferStep = (typeof TRANSFER_STEPS)[number];
export const stepPayout = route({
  method: 'POST',
  path: '/admin/payouts/:id/transfer',
  summary:
    'Record the outcome of a payout in transit. Repeating it has no effect, and failures above the limit need a second approval',
  auth: 'operator',
  rate: 'write',
  params: z.object({ id: payoutId }),
  body: z.object({
    step: z.enum(TRANSFER_STEPS),
    reference: z.optional(line(120)),
    code: z.optional(z.string().check(z.regex(/^R\d{2}$/, 'A code such as R03'))),
    ground,
  }),
  response: deskPayout,
  errors: ['NOT_FOUND', 'CONFLICT', 'UPSTREAM'],
});

const chainTransaction = line(120);
export const correctReference = route({
  method: 'POST',
  path: '/admin/payouts/:id/reference',
  summary: 'Replace a payout’s blockchain transaction that was mistyped or dropped',
  auth: 'operator',
  rate: 'write',
  params: z.object({ id: payoutId }),
  body: z.object({
    from: chainTransaction,
    to: chainTransaction,
    ground,
  }),
  response: deskPayout,
  errors: ['NOT_FOUND', 'CONFLICT'],
});

export const BATCH_STATES = ['ready', 'sending', 'unknown', 'sent', 'refused'] as const;
export const payoutBatch = z.object({
  id: payoutBatchId,
  rail: z.enum(RAILS),
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
  response: pageOf(payoutBatch),
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
        rail: z.enum(RAILS),
        isSetUp: z.boolean(),
        count: z.number(),
        net: usd,
        /** These payouts cannot be paid now and are not in the next batch. */
        held: z.number(),
      }),
    ),
  }),
});
export const sendPayouts = route({
  method: 'POST',
  path: '/admin/payout-batches',
  summary: 'Send all approved payouts of one method: as an ACH file, through PayPal or as a list to process manually',
  auth: 'operator',
  switches: ['payouts'],
  rate: 'write',
  idempotent: true,
  body: z.object({ rail: z.enum(RAILS) }),
  response: payoutBatch,
  errors: ['CONFLICT', 'UPSTREAM'],
});
export const payoutBatchFile = route({
  method: 'POST',
  path: '/admin/payout-batches/:id/file',
  summary: 'Download the file of a payout batch with full account numbers. The download is recorded in the audit log',
  auth: 'operator',
  rate: 'sensitive',
  params: z.object({ id: payoutBatchId }),
  response: fileAnswer,
  files: ['text/plain; charset=us-ascii', 'text/csv; charset=utf-8'],
  errors: ['NOT_FOUND', 'CONFLICT'],
});

/**
 * `quarantined`: an operator must decide. `booked`: PayPal was queried and its response is booked. `ignored`: not
 * relevant.
 */
export const NOTICE_STATES = ['received', 'booked', 'ignored', 'quarantined', 'dismissed'] as const;
export const NOTICE_DECISIONS = ['retry', 'dismiss'] as const;
export const payoutNotice = z.object({
  id: z.string(),
  eventType: z.string(),
  receivedAt: instant,
  receivedCount: z.number(),
  state: z.enum(NOTICE_STATES),
  reason: z.nullable(z.string()),
  batchRef: z.nullable(z.string()),
  itemRef: z.nullable(z.string()),
  payout: z.nullable(
    z.object({
      id: payoutId,
      number: z.string(),
      net: usd,
      person: z.object({ username: z.string(), name: z.string() }),
    }),
  ),
  decisions: z.array(
    z.object({ decision: z.enum(NOTICE_DECISIONS), ground: z.string(), decidedAt: instant, operator: z.string() }),
  ),
});
export const listPayoutNotices = route({
  method: 'GET',
  path: '/admin/payout-notices',
  summary: 'List PayPal payout webhooks, newest first. By default those that need attention',
  auth: 'operator',
  rate: 'read',
  query: z.object({ limit, offset, state: z._default(z.enum(NOTICE_STATES), 'quarantined') }),
  response: pageOf(payoutNotice),
});
export const decidePayoutNotice = route({
  method: 'POST',
  path: '/admin/payout-notices/:id/decision',
  summary: 'Retry a PayPal payout webhook, or dismiss it with a reason',
  auth: 'operator',
  rate: 'sensitive',
  params: z.object({ id: z.string().check(z.minLength(1), z.maxLength(100)) }),
  body: z.object({ decision: z.enum(NOTICE_DECISIONS), ground }),
  response: payoutNotice,
  errors: ['NOT_FOUND', 'CONFLICT'],
});

const percent = z.number().check(z.gte(0), z.lte(50));
export const payoutSettings = z.object({
  minimum: askedUsd.check(z.gt(0)),
  cryptoMinimum: askedUsd.check(z.gt(0)),
  referralsMinimum: askedUsd.check(z.gt(0)),
  referralsFeePercent: percent,
  coolingHours: z.number().check(z.int(), z.gte(0), z.lte(720)),
  secondApprover: askedUsd,
});
export const getPayoutSettings = route({
  method: 'GET',
  path: '/admin/payout-settings',
  summary: 'Retrieve payout minimums, fee, cooling period and second approval limit',
  auth: 'operator',
  rate: 'read',
  response: payoutSettings,
});
export const setPayoutSettings = route({
  method: 'PUT',
  path: '/admin/payout-settings',
  summary:
    'Update payout settings. Fails with CONFLICT if the values have changed. A higher limit or a shorter cooling period needs a second approval',
  auth: 'operator',
  rate: 'write',
  body: z.object({ from: payoutSettings, to: payoutSettings, ground }),
  response: payoutSettings,
  errors: ['CONFLICT'],
});
