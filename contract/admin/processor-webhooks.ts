/** Webhooks of the payment processor that no rule could process. */
import * as z from 'zod/mini';
import { depositId, instant, processorWebhookId, userId } from '../shared/ids.ts';
import { usd } from '../shared/money.ts';
import { limit, offset, toPageSchema } from '../shared/paging.ts';
import { route } from '../shared/route.ts';
import { approvalRequest } from './approval-request.ts';

/**
 * `waiting`: for the sale that it reverses. `quarantined`: an operator must decide. `refunding`: in progress or
 * unknown. `won`: a chargeback whose money the processor returned.
 */
export const PROCESSOR_WEBHOOK_STATES = [
  'received',
  'waiting',
  'processed',
  'ignored',
  'quarantined',
  'dismissed',
  'refunding',
  'refunded',
  'won',
] as const;
/**
 * For `quarantined`: `retry`, `dismiss`, `refund`. For `refunding`: `refunded`, `notRefunded`, according to the
 * processor's own site. For a `processed` chargeback: `won`, because the processor does not report it. `notWon`
 * reverses that.
 */
export const PROCESSOR_DECISIONS = ['retry', 'dismiss', 'refund', 'refunded', 'notRefunded', 'won', 'notWon'] as const;
export const REASON_LENGTH = { min: 3, max: 500 } as const;
export const reason = z
  .string()
  .check(
    z.trim(),
    z.minLength(REASON_LENGTH.min, 'Give a reason.'),
    z.maxLength(REASON_LENGTH.max, `At most ${REASON_LENGTH.max} characters`),
  );

export const processorDecision = z.object({
  decision: z.enum(PROCESSOR_DECISIONS),
  reason: z.string(),
  decidedAt: instant,
  operator: z.nullable(z.string()),
  outcome: z.nullable(z.enum(['done', 'refused', 'unknown'])),
  detail: z.nullable(z.string()),
});

export const processorWebhook = z.object({
  id: processorWebhookId,
  receivedAt: instant,
  receivedCount: z.number(),
  eventType: z.nullable(z.string()),
  transactionId: z.nullable(z.string()),
  subscriptionId: z.nullable(z.string()),
  state: z.enum(PROCESSOR_WEBHOOK_STATES),
  /** Why it is quarantined, or its outcome. */
  reason: z.nullable(z.string()),
  /** USD; null if the webhook does not contain it. */
  amount: z.nullable(usd),
  card: z.nullable(z.string()),
  order: z.nullable(
    z.object({
      depositId,
      status: z.string(),
      paid: usd,
      fan: z.object({ id: userId, username: z.string(), name: z.string() }),
    }),
  ),
  decisions: z.array(processorDecision),
  pendingApproval: z.nullable(approvalRequest),
});

export const listProcessorWebhooks = route({
  method: 'GET',
  path: '/admin/processor-webhooks',
  summary: 'List processor webhooks, newest first. By default those that need attention',
  auth: 'operator',
  rate: 'read',
  query: z.object({
    limit,
    offset,
    state: z._default(z.enum(PROCESSOR_WEBHOOK_STATES), 'quarantined'),
    type: z.optional(z.string().check(z.maxLength(40))),
  }),
  response: toPageSchema(processorWebhook),
});
/** A canceled subscription whose card the processor may still charge. */
export const cardCancellation = z.object({
  id: z.string(),
  fan: z.nullable(z.object({ id: userId, username: z.string(), name: z.string() })),
  /** The processor's id of the subscription. */
  subscriptionId: z.string(),
  /** The amount of each charge. */
  amount: usd,
  requestedAt: instant,
  attempts: z.number(),
  attemptedAt: z.nullable(instant),
  /** The last response of the processor. */
  problem: z.nullable(z.string()),
});
export const listCardCancellations = route({
  method: 'GET',
  path: '/admin/card-cancellations',
  summary: 'List cancellations of card subscriptions that the processor has not confirmed for an hour, oldest first',
  auth: 'operator',
  rate: 'read',
  response: z.object({ data: z.array(cardCancellation) }),
});
export const decideProcessorWebhook = route({
  method: 'POST',
  path: '/admin/processor-webhooks/:id/decision',
  summary: 'Retry, dismiss or refund a processor webhook, or record the outcome of a refund or chargeback',
  auth: 'operator',
  rate: 'sensitive',
  params: z.object({ id: processorWebhookId }),
  body: z.object({ decision: z.enum(PROCESSOR_DECISIONS), reason }),
  response: processorWebhook,
  errors: ['NOT_FOUND', 'CONFLICT', 'UPSTREAM'],
});
