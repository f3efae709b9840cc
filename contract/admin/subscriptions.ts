/** Subscriptions in the admin console: renewals due and failed, refunds, and what an operator can do about one. */
import * as z from 'zod/mini';
import { billingPeriod } from '../content/subscription-tiers.ts';
import { PAYMENT_SOURCES, SUBSCRIPTION_ENDS, SUBSCRIPTION_STATES } from '../content/subscriptions.ts';
import { instant, subscriptionId, transactionId, userId } from '../shared/ids.ts';
import { usd } from '../shared/money.ts';
import { limit, offset, toPageSchema } from '../shared/paging.ts';
import { route } from '../shared/route.ts';
import { approvalRequest } from './approval-request.ts';
import { reason } from './processor-webhooks.ts';

/** The last three are of the last {@link RECENT_DAYS} days. */
export const SUBSCRIPTION_LISTS = ['due', 'failing', 'unpaid', 'refunded', 'chargeback'] as const;
export type SubscriptionList = (typeof SUBSCRIPTION_LISTS)[number];
export const DUE_DAYS = 7;
export const RECENT_DAYS = 30;

const countedSum = z.object({ count: z.number(), amount: usd });
export const subscriptionOverview = z.object({
  /** Renewals that are due within 24 hours, and within {@link DUE_DAYS} days. Overdue ones count. */
  dueSoon: countedSum,
  due: countedSum,
  failing: countedSum,
  unpaid: countedSum,
  refunded: countedSum,
  chargeback: countedSum,
  /** While renewals are stopped: what fell due since then. */
  paused: z.nullable(z.object({ ...countedSum.shape, since: instant })),
});
export type SubscriptionOverview = z.infer<typeof subscriptionOverview>;
export const getSubscriptionOverview = route({
  method: 'GET',
  path: '/admin/subscription-overview',
  summary: 'Count renewals that are due or failing, and subscriptions that ended unpaid, refunded or charged back',
  auth: 'operator',
  rate: 'read',
  response: subscriptionOverview,
});

const subscriptionUser = z.object({ id: userId, username: z.string(), name: z.string() });
const adminSubscription = z.object({
  id: subscriptionId,
  fan: subscriptionUser,
  creator: subscriptionUser,
  tierName: z.string(),
  ...billingPeriod.shape,
  state: z.enum(SUBSCRIPTION_STATES),
  isRenewing: z.boolean(),
  paymentSource: z.enum(PAYMENT_SOURCES),
  /** What the list is about: the next charge, the one that failed, or what was refunded. */
  amount: usd,
  startedAt: instant,
  /** The next charge or attempt, or the end of a canceled one. */
  dueAt: z.nullable(instant),
  endedAt: z.nullable(instant),
  endReason: z.nullable(z.enum(SUBSCRIPTION_ENDS)),
  /** Of the latest period that was paid. */
  saleId: z.nullable(transactionId),
});
export type AdminSubscription = z.infer<typeof adminSubscription>;

export const listAdminSubscriptions = route({
  method: 'GET',
  path: '/admin/subscriptions',
  summary: 'List subscriptions that are due, failing or ended lately, or all of a user',
  auth: 'operator',
  rate: 'read',
  query: z.object({
    limit,
    offset,
    list: z._default(z.enum(SUBSCRIPTION_LISTS), 'due'),
    /** Username or email of a fan or creator. Lists all of theirs, newest first. */
    user: z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(254))),
  }),
  response: toPageSchema(adminSubscription),
});

export const SUBSCRIPTION_MOMENTS = [
  'started',
  'trialStarted',
  'charged',
  'opened',
  'refunded',
  'failed',
  'newPrice',
  'canceled',
  'ended',
] as const;
export const adminSubscriptionDetail = z.object({
  ...adminSubscription.shape,
  timeZone: z.string(),
  /** Without the discount. */
  price: usd,
  /** The offer that it started with. `paymentsLeft` is 0 once payments cost the full price. */
  offer: z.nullable(z.object({ code: z.string(), percentOff: z.number(), paymentsLeft: z.number() })),
  paidUntil: z.nullable(instant),
  failedAttempts: z.number(),
  newPrice: z.nullable(z.object({ price: usd, from: instant })),
  /** The part of the current period that is refunded if the subscription ends now. */
  unused: usd,
  charged: usd,
  refunded: usd,
  /** Newest first. */
  periods: z.array(
    z.object({
      number: z.number(),
      startsAt: instant,
      endsAt: instant,
      chargedAt: instant,
      price: usd,
      refunded: usd,
      saleId: transactionId,
    }),
  ),
  /** Oldest first. A refund has the time when the latest part was refunded. */
  events: z.array(
    z.object({
      at: instant,
      event: z.enum(SUBSCRIPTION_MOMENTS),
      amount: z.nullable(usd),
      number: z.nullable(z.number()),
    }),
  ),
  pendingApproval: z.nullable(approvalRequest),
});
export type AdminSubscriptionDetail = z.infer<typeof adminSubscriptionDetail>;

const params = z.object({ id: subscriptionId });
export const getAdminSubscription = route({
  method: 'GET',
  path: '/admin/subscriptions/:id',
  summary: 'Retrieve a subscription with its periods, events and money. The view is recorded in the audit log',
  auth: 'operator',
  rate: 'read',
  params,
  response: adminSubscriptionDetail,
  errors: ['NOT_FOUND'],
});
export const endAdminSubscription = route({
  method: 'POST',
  path: '/admin/subscriptions/:id/end',
  summary:
    'End a subscription with a reason. The rest of the paid period is refunded. Above the approval limit it waits for a second operator',
  auth: 'operator',
  rate: 'sensitive',
  params,
  body: z.object({ reason }),
  response: adminSubscriptionDetail,
  errors: ['NOT_FOUND', 'CONFLICT'],
});
export const refundAdminPeriod = route({
  method: 'POST',
  path: '/admin/subscriptions/:id/refund',
  summary:
    'Refund what is left of a paid period with a reason. Refunding the current one ends the subscription. Above the approval limit it waits for a second operator',
  auth: 'operator',
  rate: 'sensitive',
  params,
  body: z.object({ number: z.number().check(z.int(), z.gte(1)), reason }),
  response: adminSubscriptionDetail,
  errors: ['NOT_FOUND', 'CONFLICT'],
});
