/** Earnings of creators (section G of the specification). */
import * as z from 'zod/mini';
import { MONEY_KINDS, SALE_KINDS } from '../commerce/money-kinds.ts';
import { day } from '../shared/days.ts';
import { event } from '../shared/event.ts';
import { idList, instant, transactionId, userId } from '../shared/ids.ts';
import { usd } from '../shared/money.ts';
import { limit, offset, toPageSchema } from '../shared/paging.ts';
import { route } from '../shared/route.ts';

/** See row G1 of the specification. */
const stat = z.object({ total: z.number(), today: z.number(), yesterday: z.number() });
export const getCreatorStats = route({
  method: 'GET',
  path: '/creator/stats',
  summary: 'Retrieve net earnings, transactions and followers in total, today and yesterday (UTC)',
  auth: 'creator',
  team: ['figures'],
  rate: 'read',
  response: z.object({ earnings: stat, transactions: stat, followers: stat }),
});
/** Previous day and week up to the same time, for a fair comparison with today and this week. */
export const getSameTimeStats = route({
  method: 'GET',
  path: '/creator/stats/same-time',
  summary: 'Retrieve statistics for yesterday and last week up to the current time of day (UTC)',
  auth: 'creator',
  team: ['figures'],
  rate: 'read',
  response: z.object({
    yesterday: z.object({ earnings: usd, transactions: z.number(), followers: z.number() }),
    lastWeek: usd,
  }),
});
export const getCreatorBalance = route({
  method: 'GET',
  path: '/creator/balance',
  summary: 'Retrieve the earnings balance',
  auth: 'creator',
  team: ['figures'],
  rate: 'read',
  response: z.object({
    pending: usd,
    available: usd,
    reserved: usd,
    inTransit: usd,
    paid: usd,
    /** Debt from sales that were refunded after payout. Newly cleared earnings pay it first. */
    owed: usd,
    thisWeek: usd,
    lastWeek: usd,
    nextClearsAt: z.nullable(instant),
  }),
});
/** Grouped by UTC day. The sum is the balance's `pending`. */
export const listClearingDays = route({
  method: 'GET',
  path: '/creator/pending',
  summary: 'List pending earnings by clearing date, earliest first',
  auth: 'creator',
  team: ['figures'],
  rate: 'read',
  response: z.object({ data: z.array(z.object({ date: z.string(), transactionCount: z.number(), amount: usd })) }),
});
export const earning = z.object({
  id: transactionId,
  createdAt: instant,
  /** May be a kind that this version does not know. `title` is its label. */
  kind: z.string(),
  title: z.string(),
  gross: usd,
  platformFee: usd,
  affiliateFee: usd,
  feePercent: z.number(),
  net: usd,
  clearsAt: instant,
  clearedAt: z.nullable(instant),
  isReversed: z.boolean(),
  /** The refunded part of `gross`, and the remaining part of `net`. */
  refunded: usd,
  netAfterRefunds: usd,
  fan: z.object({ name: z.string(), avatarUrl: z.nullable(z.string()) }),
  note: z.string(),
  detail: z.string(),
  href: z.nullable(z.string()),
});
export type Earning = z.infer<typeof earning>;
/** Days in UTC, ending today (row G3). */
export const EARNING_RANGES = ['today', '30days', '365days'] as const;
export type EarningRange = (typeof EARNING_RANGES)[number];
const RANGE_DAYS: Readonly<Record<EarningRange, number>> = { today: 1, '30days': 30, '365days': 365 };
/** UTC, `YYYY-MM-DD`. The range ends on the day of `now`. */
export function getFirstDay(range: EarningRange, now: Date): string {
  return new Date(now.getTime() - (RANGE_DAYS[range] - 1) * 86_400_000).toISOString().slice(0, 10);
}
export const listEarnings = route({
  method: 'GET',
  path: '/creator/earnings',
  summary: 'List sales with fees and net earnings, newest first',
  auth: 'creator',
  team: ['figures'],
  rate: 'read',
  query: z
    .object({
      limit,
      offset,
      kind: z.optional(z.enum(SALE_KINDS)),
      range: z.optional(z.enum(EARNING_RANGES)),
      /** Inclusive, within `range` if given. */
      startDate: z.optional(day),
      endDate: z.optional(day),
    })
    .check(
      z.refine(({ startDate, endDate }) => !startDate || !endDate || startDate <= endDate, {
        message: 'End date is before start date.',
        path: ['endDate'],
      }),
    ),
  response: toPageSchema(earning),
});

/** See row G2 of the specification. */
export const CHART_PERIODS = ['weekly', 'monthly', 'yearly'] as const;
export const CHART_KINDS = { video: 'call', premiumChat: 'chat', tip: 'tip', post: 'post' } as const;
export function toSaleKind(chartKind: string): string {
  return Object.entries(CHART_KINDS).find(([name]) => name === chartKind)?.[1] ?? chartKind;
}
export function listChartKinds(soldKinds: Iterable<string>): { kind: string; saleKind: string; label: string }[] {
  const shown: string[] = Object.values(CHART_KINDS);
  const others = [...new Set(soldKinds)].filter((kind) => !shown.includes(kind)).sort();
  return [...Object.entries(CHART_KINDS), ...others.map((kind) => [kind, kind] as const)].map(([kind, saleKind]) => ({
    kind,
    saleKind,
    label: MONEY_KINDS[saleKind]?.title ?? saleKind,
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
/** `fansPaid` is fee plus earnings. Refunds are subtracted on the day of the sale. */
const split = { transactionCount: z.number(), fansPaid: usd, platformFee: usd, totalEarnings: usd };
const chartKind = z.object({
  kind: z.string(),
  label: z.string(),
  ...split,
  earnings: z.array(usd),
});
const chart = z.object({ data: z.array(chartEntry), kinds: z.array(chartKind), total: z.object(split) });
export type EarningsChart = z.infer<typeof chart>;
export const getEarningsChart = route({
  method: 'GET',
  path: '/creator/chart',
  summary: 'Retrieve net earnings for the last 7 days, 12 months or 3 years, in total and by kind (UTC)',
  auth: 'creator',
  team: ['figures'],
  rate: 'read',
  query: z.object({ period: z._default(z.enum(CHART_PERIODS), 'weekly') }),
  response: chart,
});

export const HIGHLIGHT_COUNT = 5;
const highlight = z.object({ count: z.number(), paid: usd, earned: usd });
/** For the latest tips use `listEarnings` (row G1). */
export const getCreatorHighlights = route({
  method: 'GET',
  path: '/creator/highlights',
  summary: 'List the top posts and fans by earnings among the latest sales',
  auth: 'creator',
  team: ['figures'],
  rate: 'read',
  response: z.object({
    saleCount: z.number(),
    bestPosts: z.array(z.extend(highlight, { title: z.string(), href: z.string() })),
    bestFans: z.array(z.extend(highlight, { id: userId, name: z.string(), avatarUrl: z.nullable(z.string()) })),
  }),
});

export const listFanSpending = route({
  method: 'GET',
  path: '/creator/fan-spending',
  summary: 'Retrieve what the given fans have paid the creator, net of refunds',
  auth: 'creator',
  team: ['chat', 'figures'],
  rate: 'read',
  query: z.object({ ids: idList }),
  response: z.object({ data: z.array(z.object({ id: userId, count: z.number(), spent: usd })) }),
});

export const earningReceived = event({ name: 'EARNING_RECEIVED', audience: 'user', team: 'figures', payload: earning });

export const getCreatorFees = route({
  method: 'GET',
  path: '/creator/fees',
  summary: 'Retrieve the platform fee that applies to the creator’s sales',
  auth: 'creator',
  team: ['chat', 'figures', 'posts'],
  rate: 'read',
  response: z.object({
    generalFee: z.number(),
    isCustomFee: z.boolean(),
    offerFee: z.nullable(z.number()),
    offerUntil: z.nullable(instant),
    isCustomOffer: z.boolean(),
    effectiveFee: z.number(),
  }),
});
