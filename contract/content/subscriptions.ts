/** A fan's subscriptions: subscribing, renewals, cancellations and refunds. Money of each period is one sale. */
import * as z from 'zod/mini';
import { event } from '../shared/event.ts';
import { depositId, instant, subscriptionId, subscriptionTierId, transactionId, userId } from '../shared/ids.ts';
import { DESTINATION_LENGTH } from '../shared/limits.ts';
import { balanceFields, usd } from '../shared/money.ts';
import { limit, offset, toPageSchema } from '../shared/paging.ts';
import { route } from '../shared/route.ts';
import { timeZone } from '../shared/time-zone.ts';
import { billingPeriod, offerCode } from './subscription-tiers.ts';

/**
 * `trial`: free days before the first charge. `active`: the current period is paid. `pastDue`: a renewal failed and is tried
 * again; access continues. `ended`: no access.
 */
export const SUBSCRIPTION_STATES = ['trial', 'active', 'pastDue', 'ended'] as const;
export type SubscriptionState = (typeof SUBSCRIPTION_STATES)[number];

/**
 * Why a subscription ended: by the fan, after the period that was a gift, by a change to another tier, an unpaid renewal, a
 * price the fan did not accept, a deleted tier, a creator who can no longer sell, a block, a refund or a chargeback, a deleted
 * account, an operator.
 */
export const SUBSCRIPTION_ENDS = [
  'canceled',
  'giftOver',
  'changed',
  'unpaid',
  'priceChange',
  'tierDeleted',
  'creatorUnavailable',
  'blocked',
  'refunded',
  'chargeback',
  'accountDeleted',
  'operator',
] as const;
export type SubscriptionEnd = (typeof SUBSCRIPTION_ENDS)[number];

/** What pays for a subscription: the fan's balance, or a card that the payment processor charges each period by itself. */
export const PAYMENT_SOURCES = ['balance', 'card'] as const;
export type PaymentSource = (typeof PAYMENT_SOURCES)[number];

/**
 * Groups of a creator's subscribers. `tier`: of one tier. `newSubscribers`: since 30 days. `trials`: not charged yet.
 * `pastDue`: the last charge failed. `expiring`: canceled, still open. `ended`: within 90 days, and not subscribed again.
 */
export const SUBSCRIBER_SEGMENTS = [
  'subscribers',
  'tier',
  'newSubscribers',
  'trials',
  'pastDue',
  'expiring',
  'ended',
] as const;
export type SubscriberSegment = (typeof SUBSCRIBER_SEGMENTS)[number];

export const subscription = z.object({
  id: subscriptionId,
  creator: z.object({
    id: userId,
    username: z.string(),
    name: z.string(),
    avatarUrl: z.nullable(z.string()),
  }),
  tier: z.object({ id: subscriptionTierId, name: z.string() }),
  ...billingPeriod.shape,
  isFree: z.boolean(),
  paymentSource: z.enum(PAYMENT_SOURCES),
  /** Days of a period that a card pays, otherwise null. */
  cardPeriodDays: z.nullable(z.number()),
  /** What each renewal costs until a new price applies, without the discount. */
  price: usd,
  /** Of the next charges, or null. */
  discount: z.nullable(z.object({ percentOff: z.number(), periodsLeft: z.number() })),
  state: z.enum(SUBSCRIPTION_STATES),
  /** False after a cancellation: access lasts until `paidUntil`. */
  isRenewing: z.boolean(),
  startedAt: instant,
  /** Null for a free tier. */
  paidUntil: z.nullable(instant),
  /** The next charge, of a card with the fee, or null if there is none. */
  nextCharge: z.nullable(z.object({ at: instant, amount: usd })),
  /** Who paid the current period, if it is a gift. */
  gift: z.nullable(z.object({ username: z.string(), name: z.string() })),
  /** A higher price that the fan has not accepted. Without acceptance the subscription ends at `from`. */
  newPrice: z.nullable(z.object({ price: usd, from: instant })),
  /** The next attempt after a failed renewal. The processor makes those of a card. */
  failure: z.nullable(z.object({ amount: usd, nextAttemptAt: z.nullable(instant), endsAt: instant })),
  /** The last charge can be refunded until then, because nothing was opened since. */
  refundableUntil: z.nullable(instant),
  endedAt: z.nullable(instant),
  endReason: z.nullable(z.enum(SUBSCRIPTION_ENDS)),
});
export type Subscription = z.infer<typeof subscription>;

/** With or without the @ of how it is shown. */
const giftUsername = z.string('Enter a username').check(
  z.overwrite((text) => text.trim().replace(/^@/u, '')),
  z.minLength(1, 'Enter a username'),
  z.maxLength(100, 'Enter a username'),
  z.regex(/^[^@\s]+$/u, 'Enter a username'),
);

const own = { params: z.object({ id: subscriptionId }), response: subscription } as const;

export const subscribe = route({
  method: 'POST',
  path: '/customer/subscriptions',
  summary:
    'Subscribe to a tier, paid from the balance. Another tier of the creator ends, and the rest of its period is refunded: at most the new charge if something was opened in it',
  auth: 'customer',
  killSwitches: ['subscriptions'],
  rate: 'money',
  idempotent: true,
  body: z.object({
    tierId: subscriptionTierId,
    ...billingPeriod.shape,
    /**
     * What the fan saw, otherwise CONFLICT. The charge of today is 0 with a trial, and does not deduct a refund. `renewal` is
     * the charge after it. With an offer, `afterOffer` is what renewals cost without the discount.
     */
    expected: z.object({ today: usd, renewal: usd, afterOffer: z.optional(usd) }),
    /** The code of a discount. CONFLICT if the fan cannot use it any more. */
    offer: z.optional(offerCode),
    /** Renewals stay at the same local time of this zone. */
    timeZone: z._default(timeZone, 'UTC'),
  }),
  response: z.object({ subscription, ...balanceFields, transactionId: z.nullable(transactionId) }),
  errors: ['NOT_FOUND', 'CONFLICT', 'INSUFFICIENT_FUNDS', 'FORBIDDEN'],
});
export const subscribeByCard = route({
  method: 'POST',
  path: '/customer/subscriptions/card',
  summary:
    'Order a subscription that a card pays. Returns the `paymentUrl` to redirect to; it starts when the processor reports the payment',
  auth: 'customer',
  killSwitches: ['subscriptions', 'deposits', 'cardSubscriptions'],
  rate: 'money',
  idempotent: true,
  body: z.object({
    tierId: subscriptionTierId,
    ...billingPeriod.shape,
    /** What the fan saw that the card is charged each period, with the fee. Otherwise CONFLICT. */
    expected: usd,
    timeZone: z._default(timeZone, 'UTC'),
    /** The page of this site to which the fan continues. An address of another site is ignored. */
    returnPath: z.optional(z.string().check(z.maxLength(DESTINATION_LENGTH))),
  }),
  response: z.object({ paymentUrl: z.string(), depositId }),
  errors: ['NOT_FOUND', 'CONFLICT', 'FORBIDDEN', 'UPSTREAM'],
});
export const giftSubscription = route({
  method: 'POST',
  path: '/customer/subscriptions/gift',
  summary:
    'Give another fan one period of a tier, paid from the balance. It does not renew. CONFLICT does not reveal why it is not possible',
  auth: 'customer',
  killSwitches: ['subscriptions'],
  rate: 'money',
  idempotent: true,
  body: z.object({
    /** Of the recipient. */
    username: giftUsername,
    tierId: subscriptionTierId,
    ...billingPeriod.shape,
    /** What the giver saw, otherwise CONFLICT. */
    price: usd,
    /** Renewals, if the recipient continues, stay at the same local time of this zone. */
    timeZone: z._default(timeZone, 'UTC'),
  }),
  response: z.object({ paidUntil: instant, ...balanceFields, transactionId }),
  errors: ['NOT_FOUND', 'CONFLICT', 'INSUFFICIENT_FUNDS', 'FORBIDDEN'],
});
export const listSubscriptions = route({
  method: 'GET',
  path: '/customer/subscriptions',
  summary: 'List the fan’s current subscriptions, those that need an answer first, then by next charge',
  auth: 'customer',
  rate: 'read',
  response: z.object({
    data: z.array(subscription),
    /**
     * Sums of all renewing subscriptions; periods of other lengths count proportionally. `perMonth` is by the price of the
     * next charge, `perYear` counts the discounts of the next year.
     */
    perMonth: usd,
    perYear: usd,
    /** Charges that are due in the next 30 days. */
    next30Days: usd,
  }),
});
export const listEndedSubscriptions = route({
  method: 'GET',
  path: '/customer/ended-subscriptions',
  summary: 'List the fan’s ended subscriptions, newest first',
  auth: 'customer',
  rate: 'read',
  query: z.object({ limit, offset }),
  response: toPageSchema(subscription),
});
export const cancelSubscription = route({
  method: 'POST',
  path: '/customer/subscriptions/:id/cancel',
  summary: 'Stop renewing. Access lasts until the end of the paid period',
  auth: 'customer',
  allowedInMaintenance: true,
  rate: 'write',
  ...own,
  errors: ['NOT_FOUND', 'CONFLICT'],
});
export const resumeSubscription = route({
  method: 'POST',
  path: '/customer/subscriptions/:id/resume',
  summary: 'Renew again after a cancellation, before the paid period ends',
  auth: 'customer',
  rate: 'write',
  ...own,
  errors: ['NOT_FOUND', 'CONFLICT'],
});
export const paySubscription = route({
  method: 'POST',
  path: '/customer/subscriptions/:id/pay',
  summary: 'Pay a failed renewal now',
  auth: 'customer',
  killSwitches: ['subscriptions'],
  rate: 'money',
  idempotent: true,
  params: own.params,
  response: z.object({ subscription, ...balanceFields }),
  errors: ['NOT_FOUND', 'CONFLICT', 'INSUFFICIENT_FUNDS', 'FORBIDDEN'],
});
export const acceptPrice = route({
  method: 'POST',
  path: '/customer/subscriptions/:id/accept-price',
  summary: 'Accept a new price',
  auth: 'customer',
  rate: 'write',
  params: own.params,
  body: z.object({ price: usd }),
  response: subscription,
  errors: ['NOT_FOUND', 'CONFLICT'],
});
export const refundSubscription = route({
  method: 'POST',
  path: '/customer/subscriptions/:id/refund',
  summary: 'Refund the last charge within 24 hours if nothing was opened since. Access ends at once',
  auth: 'customer',
  rate: 'money',
  idempotent: true,
  params: own.params,
  response: z.object({ subscription, ...balanceFields }),
  errors: ['NOT_FOUND', 'CONFLICT'],
});

/** Emitted to the fan: refetch the subscriptions and what they open. */
export const subscriptionChanged = event({
  name: 'SUBSCRIPTION_CHANGED',
  audience: 'user',
  payload: z.object({ creatorId: userId }),
});
