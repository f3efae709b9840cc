/** The operator's desk for what the payment processor told and nobody could act on by rule. */
import * as z from 'zod/mini';
import { depositId, instant, processorEventId, userId } from './atoms/ids.ts';
import { usd } from './atoms/money.ts';
import { limit, offset, pageOf } from './atoms/paging.ts';
import { route } from './atoms/route.ts';
import { moneyAct } from './money-act-view.ts';

/**
 * `received`: to be worked on; `waiting`: for the sale it takes back; `quarantined`: a person decides; `refunding`: its money is
 * on the way back, or nobody knows yet; the others are over. `won`: a chargeback whose money the processor gave back.
 */
export const PROCESSOR_EVENT_STATES = [
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
 * Of what is `quarantined`: `retry`, `dismiss`, `refund`. Of a refund that nobody knows of (`refunding`): `refunded` and `notRefunded`,
 * by what the processor's own site shows. Of a chargeback that was `processed`: `won`, as the processor tells nobody by itself that
 * it has given the money back; `notWon` takes that back.
 */
export const PROCESSOR_DECISIONS = ['retry', 'dismiss', 'refund', 'refunded', 'notRefunded', 'won', 'notWon'] as const;
export const GROUND_LENGTH = { min: 3, max: 500 } as const;
/** Why a person decides as they do. */
export const ground = z
  .string()
  .check(
    z.trim(),
    z.minLength(GROUND_LENGTH.min, 'Please say why.'),
    z.maxLength(GROUND_LENGTH.max, `At most ${GROUND_LENGTH.max} characters`),
  );

/** What somebody decided, why, and what came of a refund. */
export const processorDecision = z.object({
  decision: z.enum(PROCESSOR_DECISIONS),
  ground: z.string(),
  decidedAt: instant,
  /** Who; null is the command on the machine. */
  operator: z.nullable(z.string()),
  outcome: z.nullable(z.enum(['done', 'refused', 'unknown'])),
  detail: z.nullable(z.string()),
});

export const processorEvent = z.object({
  id: processorEventId,
  receivedAt: instant,
  /** How often it was told. */
  receivedCount: z.number(),
  eventType: z.nullable(z.string()),
  transactionId: z.nullable(z.string()),
  subscriptionId: z.nullable(z.string()),
  state: z.enum(PROCESSOR_EVENT_STATES),
  /** Why it was put aside, or what became of it. */
  reason: z.nullable(z.string()),
  /** What the card paid, or was to get back, in USD; null when the post does not say. */
  amount: z.nullable(usd),
  card: z.nullable(z.string()),
  /** The order that it names, and whose it is. */
  order: z.nullable(
    z.object({
      depositId,
      status: z.string(),
      paid: usd,
      fan: z.object({ id: userId, username: z.string(), name: z.string() }),
    }),
  ),
  decisions: z.array(processorDecision),
  /** That it was withdrawn, waiting for a second operator. */
  waits: z.nullable(moneyAct),
});

export const listProcessorEvents = route({
  method: 'GET',
  path: '/admin/processor-events',
  summary: 'What the payment processor told, newest first; by default what needs a person',
  auth: 'operator',
  rate: 'read',
  query: z.object({
    limit,
    offset,
    state: z._default(z.enum(PROCESSOR_EVENT_STATES), 'quarantined'),
    /** Such as `Chargeback`. */
    type: z.optional(z.string().check(z.maxLength(40))),
  }),
  response: pageOf(processorEvent),
});
export const decideProcessorEvent = route({
  method: 'POST',
  path: '/admin/processor-events/:id/decision',
  summary: 'Work on it again, leave it with a ground, or have the processor give the money back',
  auth: 'operator',
  rate: 'sensitive',
  params: z.object({ id: processorEventId }),
  body: z.object({ decision: z.enum(PROCESSOR_DECISIONS), ground }),
  response: processorEvent,
  errors: ['NOT_FOUND', 'CONFLICT', 'UPSTREAM'],
});
