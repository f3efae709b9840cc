/** Days, months and years are in UTC (row G2). */
import { asCents, toUsd } from '@stagedoor/contract/atoms/money.ts';
import type { AnswerOf, QueryOf } from '@stagedoor/contract/atoms/route.ts';
import { type chartEntry, chartKinds, type earningsChart } from '@stagedoor/contract/earnings.ts';
import type * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import type { Actor } from '../../kernel/session.ts';
import { creatorChart, type Earned, earnedTogether } from '../sales/index.ts';

type Place = Pick<z.input<typeof chartEntry>, 'date' | 'month' | 'year' | 'label'>;

function placeOf(period: QueryOf<typeof earningsChart>['period'], key: string): Place {
  const name = (text: string, options: Intl.DateTimeFormatOptions) =>
    new Date(text).toLocaleDateString('en-US', { ...options, timeZone: 'UTC' });
  if (period === 'weekly') return { date: key, label: name(key, { weekday: 'short' }) };
  if (period === 'monthly') return { month: key, label: name(`${key}-01`, { month: 'short' }) };
  return { year: key, label: key };
}

const NOTHING = earnedTogether([]);

function splitOf({ netCents, feeCents, count }: Earned) {
  return {
    transactionCount: count,
    fansPaid: toUsd(asCents(netCents + feeCents)),
    platformFee: toUsd(feeCents),
    totalEarnings: toUsd(netCents),
  };
}

/** The chart covers 7 days, 12 months or 3 years up to today. */
export async function viewChart(
  ctx: Context,
  actor: Actor,
  { period }: QueryOf<typeof earningsChart>,
): Promise<AnswerOf<typeof earningsChart>> {
  const points = await creatorChart(ctx.db, actor.userId, period, ctx.clock.now());
  const data = points.map(({ key, netCents, count }) => ({
    ...placeOf(period, key),
    totalEarnings: toUsd(netCents),
    transactionCount: count,
  }));
  const kinds = chartKinds(points.flatMap((point) => [...point.kinds.keys()])).map(({ kind, of, label }) => {
    const earned = points.map((point) => point.kinds.get(of) ?? NOTHING);
    return { kind, label, ...splitOf(earnedTogether(earned)), earnings: earned.map(({ netCents }) => toUsd(netCents)) };
  });
  return { data, kinds, together: splitOf(earnedTogether(points)) };
}
