/** What creators see of their subscribers: recurring income, churn, retention, expected income and a list to export. */
import * as z from 'zod/mini';
import { billingPeriod } from '../content/subscription-tiers.ts';
import { PAYMENT_SOURCES, SUBSCRIPTION_STATES } from '../content/subscriptions.ts';
import { instant, subscriptionId, subscriptionTierId, userId } from '../shared/ids.ts';
import { signedUsd, usd } from '../shared/money.ts';
import { limit, offset, toPageSchema } from '../shared/paging.ts';
import { fileResponse, route } from '../shared/route.ts';

/** Days of “new”, “left” and “expected”. */
export const FIGURE_DAYS = 30;
/** Months of the retention table, the current one included. */
export const COHORT_MONTHS = 6;
/** With fewer ended trials in {@link TRIAL_HISTORY_DAYS}, half of the running ones are assumed to stay. */
export const TRIALS_TO_MEASURE = 10;
export const TRIAL_HISTORY_DAYS = 180;

const charges = z.object({ count: z.number(), amount: usd });
const month = z.string().check(z.regex(/^\d{4}-\d{2}$/));
/** Subscriptions that ended within 30 days and not by a change to another tier, of those that ran at their start. `percent` is null without any. */
const churn = z.object({ left: z.number(), of: z.number(), percent: z.nullable(z.number()) });

export const subscriptionFigures = z.object({
  /**
   * What paid subscriptions that renew cost per month: a week counts 52/12 times, a year or a bundle proportionally. Free,
   * canceled and trial subscriptions are not part of it.
   */
  monthlyRecurring: usd,
  /** Since the end of the previous month (UTC). */
  recurringChange: signedUsd,
  subscriberCount: z.number(),
  newCount: z.number(),
  churn,
  previousChurn: churn,
  /** Charges of the next 30 days. `yours` is renewals and trials, minus losses and fee. */
  expected: z.object({
    renewals: charges,
    /** `stayPercent` of the first charges. */
    trials: z.object({ count: z.number(), amount: usd, stayPercent: z.number(), isMeasured: z.boolean() }),
    /** Among the renewals: canceled, failing, or a new price that the fan has not accepted. */
    losses: charges,
    feePercent: z.number(),
    fee: usd,
    yours: usd,
  }),
  /** At the end of each of the last 12 months (UTC), oldest first. The last one is now. */
  months: z.array(z.object({ month, amount: usd })),
  /** Highest position last; deleted tiers with subscribers follow. `perMonth` is before savings by bundles and offers. */
  tiers: z.array(
    z.object({
      id: subscriptionTierId,
      name: z.string(),
      monthlyPrice: z.nullable(usd),
      isDeleted: z.boolean(),
      subscriberCount: z.number(),
      perMonth: usd,
    }),
  ),
  /** `monthlyRecurring` is the sum of the tiers minus these savings. */
  bundles: z.object({ count: z.number(), saved: usd }),
  /** Discounts of offers that the current period has. */
  offers: z.object({ count: z.number(), saved: usd }),
  /**
   * By month of joining (UTC), oldest first. `shares` has the percentage of those who still subscribe at the end of each
   * following month; the last one is up to now.
   */
  cohorts: z.array(z.object({ month, fanCount: z.number(), shares: z.array(z.number()) })),
});
export type SubscriptionFigures = z.infer<typeof subscriptionFigures>;

export const getSubscriptionFigures = route({
  method: 'GET',
  path: '/creator/subscription-figures',
  summary: 'Retrieve recurring income, churn, expected income and retention',
  auth: 'creator',
  team: ['figures'],
  rate: 'read',
  response: subscriptionFigures,
});

/** All but `ended` are current subscriptions. `canceled`: access is still open. */
export const SUBSCRIBER_FILTERS = ['all', 'new', 'trial', 'pastDue', 'canceled', 'ended'] as const;
export type SubscriberFilter = (typeof SUBSCRIBER_FILTERS)[number];
/** `renewal`: soonest end of the paid period first. `paid`: highest first. `since`: newest first. */
export const SUBSCRIBER_SORTS = ['renewal', 'paid', 'since'] as const;
export type SubscriberSort = (typeof SUBSCRIBER_SORTS)[number];

/** Reasons that creators see. `other` covers what concerns only the fan, such as a block. */
export const SUBSCRIBER_ENDS = [
  'canceled',
  'giftOver',
  'unpaid',
  'priceChange',
  'tierDeleted',
  'refunded',
  'other',
] as const;

export const subscriber = z.object({
  id: subscriptionId,
  fan: z.object({ id: userId, username: z.string(), name: z.string(), avatarUrl: z.nullable(z.string()) }),
  tier: z.object({ id: subscriptionTierId, name: z.string() }),
  ...billingPeriod.shape,
  /** The price of the current period, with its discount. */
  price: usd,
  /** The code of the offer that the fan subscribed with, or null. */
  offerCode: z.nullable(z.string()),
  isFree: z.boolean(),
  state: z.enum(SUBSCRIPTION_STATES),
  isRenewing: z.boolean(),
  paymentSource: z.enum(PAYMENT_SOURCES),
  /** Another fan paid the current period. */
  isGift: z.boolean(),
  startedAt: instant,
  canceledAt: z.nullable(instant),
  /** Null for a free tier. */
  paidUntil: z.nullable(instant),
  /** A higher price that the fan has not accepted. */
  newPrice: z.nullable(usd),
  /** With this subscription, without refunds, before the fee. */
  paid: usd,
  endedAt: z.nullable(instant),
  endReason: z.nullable(z.enum(SUBSCRIBER_ENDS)),
});
export type Subscriber = z.infer<typeof subscriber>;

const filter = z._default(z.enum(SUBSCRIBER_FILTERS), 'all');
export const listSubscribers = route({
  method: 'GET',
  path: '/creator/subscribers',
  summary: 'List the creator’s subscribers',
  auth: 'creator',
  team: ['figures'],
  rate: 'read',
  query: z.object({ limit, offset, filter, sort: z._default(z.enum(SUBSCRIBER_SORTS), 'renewal') }),
  response: z.extend(toPageSchema(subscriber), {
    counts: z.object({
      all: z.number(),
      new: z.number(),
      trial: z.number(),
      pastDue: z.number(),
      canceled: z.number(),
      ended: z.number(),
    }),
    /** What the filtered subscriptions cost per month. 0 for ended ones. */
    perMonth: usd,
  }),
});

export const downloadSubscribers = route({
  method: 'GET',
  path: '/creator/subscribers/file',
  summary: 'Download the list of subscribers as CSV, newest first',
  auth: 'creator',
  team: ['figures'],
  rate: 'sensitive',
  query: z.object({ filter }),
  response: fileResponse,
  files: ['text/csv; charset=utf-8'],
});
