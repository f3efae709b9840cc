/** What a creator earned: in sums, one by one with its split, as a chart, and at which commission (section G of the rows). */
import * as z from 'zod/mini';
import { day } from './atoms/days.ts';
import { event } from './atoms/event.ts';
import { idList, instant, transactionId, userId } from './atoms/ids.ts';
import { usd } from './atoms/money.ts';
import { limit, offset, pageOf } from './atoms/paging.ts';
import { route } from './atoms/route.ts';
import { MONEY_KINDS, SALE_KINDS } from './money-kinds.ts';

/** Row G1. */
const stat = z.object({ total: z.number(), today: z.number(), yesterday: z.number() });
export const creatorStats = route({
  method: 'GET',
  path: '/creator/stats',
  summary: 'Earnings (USD net), transactions and followers; each total, today and yesterday in UTC',
  auth: 'creator',
  team: ['figures'],
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
  team: ['figures'],
  rate: 'read',
  response: z.object({
    yesterday: z.object({ earnings: usd, transactions: z.number(), followers: z.number() }),
    lastWeek: usd,
  }),
});
export const creatorBalance = route({
  method: 'GET',
  path: '/creator/balance',
  summary: 'Pending, available, asked for, on its way and paid out, and when the next part clears',
  auth: 'creator',
  team: ['figures'],
  rate: 'read',
  response: z.object({
    pending: usd,
    available: usd,
    /** Asked to be paid out, and not sent yet. */
    reserved: usd,
    /** Sent, and neither arrived nor come back. */
    onTheWay: usd,
    /** Arrived. */
    paid: usd,
    /** For sales given back after their money was gone; what clears next pays it off first. */
    owed: usd,
    thisWeek: usd,
    lastWeek: usd,
    nextClearsAt: z.nullable(instant),
  }),
});
/** What is pending by the day, in UTC, on which it clears; together it is the balance's `pending`. */
export const clearingDays = route({
  method: 'GET',
  path: '/creator/pending',
  summary: 'Pending earnings by the day on which they clear, the next first',
  auth: 'creator',
  team: ['figures'],
  rate: 'read',
  response: z.object({ data: z.array(z.object({ date: z.string(), transactionCount: z.number(), amount: usd })) }),
});
export const earning = z.object({
  id: transactionId,
  createdAt: instant,
  /** A kind of sale (money-kinds.ts), or one that the contract does not know yet; `title` says it in words. */
  kind: z.string(),
  title: z.string(),
  gross: usd,
  platformFee: usd,
  /** Of the fee, what went to whoever brought in the fan or the creator. */
  affiliateFee: usd,
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
/** Row G3. Days are UTC's; the last one is today. */
export const EARNING_RANGES = ['today', '30days', '365days'] as const;
export type EarningRange = (typeof EARNING_RANGES)[number];
const RANGE_DAYS: Readonly<Record<EarningRange, number>> = { today: 1, '30days': 30, '365days': 365 };
/** The first day (YYYY-MM-DD, UTC) of a range that ends with the day of `now`. */
export function firstDayOf(range: EarningRange, now: Date): string {
  return new Date(now.getTime() - (RANGE_DAYS[range] - 1) * 86_400_000).toISOString().slice(0, 10);
}
export const listEarnings = route({
  method: 'GET',
  path: '/creator/earnings',
  summary: 'Sales with their split, newest first, of any span of days',
  auth: 'creator',
  team: ['figures'],
  rate: 'read',
  query: z
    .object({
      limit,
      offset,
      kind: z.optional(z.enum(SALE_KINDS)),
      range: z.optional(z.enum(EARNING_RANGES)),
      /** Both days belong to it; within the range, if there is one. */
      startDate: z.optional(day),
      endDate: z.optional(day),
    })
    .check(
      z.refine(({ startDate, endDate }) => !startDate || !endDate || startDate <= endDate, {
        message: 'The end comes before the start.',
        path: ['endDate'],
      }),
    ),
  response: pageOf(earning),
});

/** Row G2. */
export const CHART_PERIODS = ['weekly', 'monthly', 'yearly'] as const;
/** What the chart calls the kinds of sale that it always shows, in its order. */
export const CHART_KINDS = { video: 'call', premiumChat: 'chat', tip: 'tip', post: 'post' } as const;
/** The kind of sale that the chart knows under this name. */
export function saleKindOf(chartKind: string): string {
  return Object.entries(CHART_KINDS).find(([name]) => name === chartKind)?.[1] ?? chartKind;
}
/** The kinds of the chart, and others of which there are sales, each with its label. */
export function chartKinds(sold: Iterable<string>): { kind: string; of: string; label: string }[] {
  const shown: string[] = Object.values(CHART_KINDS);
  const others = [...new Set(sold)].filter((kind) => !shown.includes(kind)).sort();
  return [...Object.entries(CHART_KINDS), ...others.map((kind) => [kind, kind] as const)].map(([kind, of]) => ({
    kind,
    of,
    label: MONEY_KINDS[of]?.title ?? of,
  }));
}
export const chartEntry = z.object({
  date: z.optional(z.string()),
  month: z.optional(z.string()),
  year: z.optional(z.string()),
  totalEarnings: usd,
  transactionCount: z.number(),
  label: z.string(),
});
/** Of the whole period: what fans paid is both parts together. What was given back is off the day of its sale. */
const split = { transactionCount: z.number(), fansPaid: usd, platformFee: usd, totalEarnings: usd };
const chartKind = z.object({
  kind: z.string(),
  label: z.string(),
  ...split,
  /** Earned at each entry of the chart. */
  earnings: z.array(usd),
});
const chart = z.object({ data: z.array(chartEntry), kinds: z.array(chartKind), together: z.object(split) });
export type EarningsChart = z.infer<typeof chart>;
export const earningsChart = route({
  method: 'GET',
  path: '/creator/chart',
  summary: '7 days, 12 months or 3 years of net earnings, in all and by kind, counted back from today in UTC',
  auth: 'creator',
  team: ['figures'],
  rate: 'read',
  query: z.object({ period: z._default(z.enum(CHART_PERIODS), 'weekly') }),
  response: chart,
});

/** So many of each. */
export const HIGHLIGHTS = 5;
const highlight = z.object({ count: z.number(), paid: usd, earned: usd });
/** Who and what brought most lately; the latest tips (row G1) are `listEarnings` of their kind. */
export const creatorHighlights = route({
  method: 'GET',
  path: '/creator/highlights',
  summary: 'The posts and fans that brought most among the latest sales',
  auth: 'creator',
  team: ['figures'],
  rate: 'read',
  response: z.object({
    /** Among how many sales, at most, the best were looked for. */
    bestOf: z.number(),
    bestPosts: z.array(z.extend(highlight, { title: z.string(), href: z.string() })),
    bestFans: z.array(z.extend(highlight, { id: userId, name: z.string(), avatarUrl: z.nullable(z.string()) })),
  }),
});

export const spentByFans = route({
  method: 'GET',
  path: '/creator/spent',
  summary: 'What each of some fans paid this creator, less what was given back',
  auth: 'creator',
  team: ['chat', 'figures'],
  rate: 'read',
  query: z.object({ ids: idList }),
  response: z.object({ data: z.array(z.object({ id: userId, count: z.number(), spent: usd })) }),
});

/** To the creator's every tab: something was earned. */
export const earningReceived = event({ name: 'EARNING_RECEIVED', audience: 'user', team: 'figures', payload: earning });

/** Commission in percent: the general one, the promotional one while it runs, and what holds now. */
export const creatorFees = route({
  method: 'GET',
  path: '/creator/fees',
  summary: 'Which commission applies to own sales',
  auth: 'creator',
  team: ['chat', 'figures', 'posts'],
  rate: 'read',
  response: z.object({
    generalFee: z.number(),
    /** Set for this creator alone, in place of everybody's. */
    isOwnFee: z.boolean(),
    offerFee: z.nullable(z.number()),
    offerUntil: z.nullable(instant),
    /** Set for this creator alone, and not that of everybody's first days. */
    isOwnOffer: z.boolean(),
    effectiveFee: z.number(),
  }),
});
