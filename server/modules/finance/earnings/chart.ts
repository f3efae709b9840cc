/** Days, months and years are in UTC (row G2). */

import { type chartEntry, type getEarningsChart, listChartKinds } from '@stagedoor/contract/finance/earnings.ts';
import { asCents, toUsd } from '@stagedoor/contract/shared/money.ts';
import type { QueryOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { addEarnings, type EarningsSum, getSalesChart } from '../../commerce/sales/index.ts';

type ChartDate = Pick<z.input<typeof chartEntry>, 'date' | 'month' | 'year' | 'label'>;

function toChartDate(period: QueryOf<typeof getEarningsChart>['period'], key: string): ChartDate {
  const formatName = (text: string, options: Intl.DateTimeFormatOptions) =>
    new Date(text).toLocaleDateString('en-US', { ...options, timeZone: 'UTC' });
  if (period === 'weekly') return { date: key, label: formatName(key, { weekday: 'short' }) };
  if (period === 'monthly') return { month: key, label: formatName(`${key}-01`, { month: 'short' }) };
  return { year: key, label: key };
}

const NO_EARNINGS = addEarnings([]);

function presentSplit({ netCents, feeCents, count }: EarningsSum) {
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
  { period }: QueryOf<typeof getEarningsChart>,
): Promise<ResponseInputOf<typeof getEarningsChart>> {
  const points = await getSalesChart(ctx.db, actor.userId, period, ctx.clock.now());
  const data = points.map(({ key, netCents, count }) => ({
    ...toChartDate(period, key),
    totalEarnings: toUsd(netCents),
    transactionCount: count,
  }));
  const kinds = listChartKinds(points.flatMap((point) => [...point.kinds.keys()])).map(({ kind, saleKind, label }) => {
    const earned = points.map((point) => point.kinds.get(saleKind) ?? NO_EARNINGS);
    return {
      kind,
      label,
      ...presentSplit(addEarnings(earned)),
      earnings: earned.map(({ netCents }) => toUsd(netCents)),
    };
  });
  return { data, kinds, total: presentSplit(addEarnings(points)) };
}
