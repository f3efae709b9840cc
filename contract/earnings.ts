/** What a creator earned: in sums, one by one with its split, as a chart, and at which commission (section G of the rows). */
import * as z from 'zod/mini';
import { event } from './atoms/event.ts';
import { instant, transactionId } from './atoms/ids.ts';
import { usd } from './atoms/money.ts';
import { limit, offset, pageOf } from './atoms/paging.ts';
import { route } from './atoms/route.ts';
import { SALE_KINDS } from './money-kinds.ts';

/** Row G1. */
const stat = z.object({ total: z.number(), today: z.number(), yesterday: z.number() });
export const creatorStats = route({
  method: 'GET',
  path: '/creator/stats',
  summary: 'Earnings (USD net), transactions and followers; each total, today and yesterday in UTC',
  auth: 'creator',
  rate: 'read',
  response: z.object({ earnings: stat, transactions: stat, followers: stat }),
});
/** What today and this week so far are compared with: a part of a day and a whole one say nothing about each other. */
export const statsByNow = route({
  method: 'GET',
  path: '/creator/stats/by-now',
  summary:
    'Yesterday (earnings in USD net, transactions, followers) and last week (earnings) until the same time as now, in UTC',
  auth: 'creator',
  rate: 'read',
  response: z.object({
    yesterday: z.object({ earnings: usd, transactions: z.number(), followers: z.number() }),
    lastWeek: usd,
  }),
});
export const creatorBalance = route({
  method: 'GET',
  path: '/creator/balance',
  summary: 'Pending, available, and when the next part clears',
  auth: 'creator',
  rate: 'read',
  response: z.object({
    pending: usd,
    available: usd,
    /** For sales given back after their money was gone; what clears next pays it off first. */
    owed: usd,
    thisWeek: usd,
    lastWeek: usd,
    nextClearsAt: z.nullable(instant),
  }),
});
export const earning = z.object({
  id: transactionId,
  createdAt: instant,
  /** A kind of sale (money-kinds.ts), or one that the contract does not know yet; `title` says it in words. */
  kind: z.string(),
  title: z.string(),
  gross: usd,
  platformFee: usd,
  feePercent: z.number(),
  net: usd,
  clearsAt: instant,
  /** When it became available; null while it waits. */
  clearedAt: z.nullable(instant),
  /** Given back wholly. */
  isReversed: z.boolean(),
  /** Of `gross`, what was given back to the fan; and of `net`, what the creator keeps. */
  givenBack: usd,
  kept: usd,
  fan: z.object({ name: z.string(), avatarUrl: z.nullable(z.string()) }),
  note: z.string(),
  detail: z.string(),
  href: z.nullable(z.string()),
});
export type Earning = z.infer<typeof earning>;
export const listEarnings = route({
  method: 'GET',
  path: '/creator/earnings',
  summary: 'Recent tips and unlocks with their split, newest first',
  auth: 'creator',
  rate: 'read',
  query: z.object({ limit, offset, kind: z.optional(z.enum(SALE_KINDS)) }),
  response: pageOf(earning),
});

/** Row G2. */
export const CHART_PERIODS = ['weekly', 'monthly', 'yearly'] as const;
export const chartEntry = z.object({
  date: z.optional(z.string()),
  month: z.optional(z.string()),
  year: z.optional(z.string()),
  totalEarnings: usd,
  transactionCount: z.number(),
  label: z.string(),
});
export const earningsChart = route({
  method: 'GET',
  path: '/creator/chart',
  summary: '7 days, 12 months or 3 years of net earnings, counted back from today in UTC',
  auth: 'creator',
  rate: 'read',
  query: z.object({ period: z._default(z.enum(CHART_PERIODS), 'weekly') }),
  response: z.object({ data: z.array(chartEntry) }),
});

/** To the creator's every tab: something was earned. */
export const earningReceived = event({ name: 'EARNING_RECEIVED', audience: 'user', payload: earning });

/** Commission in percent: the general one, the promotional one while it runs, and what holds now. */
export const creatorFees = route({
  method: 'GET',
  path: '/creator/fees',
  summary: 'Which commission applies to own sales',
  auth: 'creator',
  rate: 'read',
  response: z.object({
    generalFee: z.number(),
    offerFee: z.nullable(z.number()),
    offerUntil: z.nullable(instant),
    effectiveFee: z.number(),
  }),
});
