/** Days, weeks and months are in UTC. */

import type {
  listClearingDays as clearingDaysRoute,
  getCreatorBalance as creatorBalanceRoute,
  getCreatorStats as creatorStatsRoute,
  earning,
  getSameTimeStats,
  listEarnings,
} from '@stagedoor/contract/finance/earnings.ts';
import { getFirstDay } from '@stagedoor/contract/finance/earnings.ts';
import { toUsd } from '@stagedoor/contract/shared/money.ts';
import type { QueryOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import { parseIdOffset, toCursor } from '../../../platform/database/pagination.ts';
import type { Actor } from '../../../platform/security/session.ts';
import {
  type DailyStat,
  findSale,
  getEarningsBalance,
  getEarningsUntil,
  getSalesStats,
  listPendingByDay,
  listSalesForCreator,
  type Sale,
  toWeekday,
} from '../../commerce/sales/index.ts';
import { sumInTransit } from '../payouts/index.ts';
import {
  type DisplayNames,
  formatSaleTitle,
  formatTipLocation,
  getSaleHref,
  loadDisplayNames,
} from '../wallet/index.ts';
import { countFollowers } from './followers.ts';
import * as texts from './texts.ts';

function presentEarning(sale: Sale, names: DisplayNames): z.input<typeof earning> {
  const fan = names.users.get(sale.fanId);
  return {
    id: sale.id,
    createdAt: sale.createdAt.toISOString(),
    kind: sale.kind,
    title: sale.title,
    gross: toUsd(sale.grossCents),
    platformFee: toUsd(sale.feeCents),
    affiliateFee: toUsd(sale.affiliateCents),
    feePercent: sale.feePercent,
    net: toUsd(sale.netCents),
    clearsAt: sale.clearsAt.toISOString(),
    clearedAt: sale.clearedAt?.toISOString() ?? null,
    isReversed: sale.reversedCents >= sale.grossCents,
    refunded: toUsd(sale.reversedCents),
    netAfterRefunds: toUsd(sale.netCents - sale.reversedNetCents),
    fan: { name: fan?.name ?? texts.aFan, avatarUrl: fan?.avatarUrl ?? null },
    note: sale.note,
    detail: sale.isOnce ? formatSaleTitle(sale, names) : formatTipLocation(sale, names),
    href: getSaleHref(sale, 'creator'),
  };
}

export async function findEarning(ctx: Context, transactionId: string): Promise<z.input<typeof earning> | undefined> {
  const sale = await findSale(ctx.db, transactionId);
  return sale && presentEarning(sale, await loadDisplayNames(ctx, [sale]));
}

export async function viewEarnings(
  ctx: Context,
  actor: Actor,
  { limit, offset, kind, range, startDate, endDate }: QueryOf<typeof listEarnings>,
): Promise<ResponseInputOf<typeof listEarnings>> {
  const { skip, before } = parseIdOffset(offset);
  const firstDay = range && getFirstDay(range, ctx.clock.now());
  const from = firstDay && (!startDate || startDate < firstDay) ? firstDay : startDate;
  const { sales, totalCount } = await listSalesForCreator(ctx.db, actor.userId, {
    kind,
    from,
    to: endDate,
    limit: limit + 1,
    skip,
    before,
  });
  const shown = sales.slice(0, limit);
  const names = await loadDisplayNames(ctx, shown);
  const last = shown.at(-1);
  const next = sales.length > limit && last ? { nextOffset: toCursor(last.id) } : {};
  return { data: shown.map((sale) => presentEarning(sale, names)), limit, totalCount, ...next };
}

function toUsdStat({ total, today, yesterday }: DailyStat): DailyStat {
  return { total: toUsd(total), today: toUsd(today), yesterday: toUsd(yesterday) };
}

export async function viewCreatorStats(ctx: Context, actor: Actor): Promise<ResponseInputOf<typeof creatorStatsRoute>> {
  const now = ctx.clock.now();
  const [{ earningsCents, transactions }, followers] = await Promise.all([
    getSalesStats(ctx.db, actor.userId, now),
    countFollowers(ctx.db, actor.userId, now),
  ]);
  return { earnings: toUsdStat(earningsCents), transactions, followers };
}

/** A period with more refunds than earnings shows zero. */
const toNonNegativeUsd = ({ earningsCents }: { earningsCents: number }) => toUsd(Math.max(0, earningsCents));

export async function viewSameTimeStats(ctx: Context, actor: Actor): Promise<ResponseInputOf<typeof getSameTimeStats>> {
  const now = ctx.clock.now();
  const subtractDays = (days: number) => new Date(now.getTime() - days * 86_400_000);
  const [yesterday, lastWeek, followers] = await Promise.all([
    getEarningsUntil(ctx.db, actor.userId, subtractDays(1)),
    getEarningsUntil(ctx.db, actor.userId, subtractDays(7), toWeekday(now)),
    countFollowers(ctx.db, actor.userId, now),
  ]);
  return {
    yesterday: {
      earnings: toNonNegativeUsd(yesterday),
      transactions: yesterday.transactions,
      followers: followers.yesterdaySameTime,
    },
    lastWeek: toNonNegativeUsd(lastWeek),
  };
}

export async function viewCreatorBalance(
  ctx: Context,
  actor: Actor,
): Promise<ResponseInputOf<typeof creatorBalanceRoute>> {
  const { userId } = actor;
  // Both are read in one snapshot, because a change in between would be counted twice or not at all.
  const [balance, inTransitCents] = await ctx.db.snapshot(
    async (db) =>
      [
        await getEarningsBalance(db, userId, ctx.clock.now()),
        await sumInTransit(db, { userId, source: 'earnings' }),
      ] as const,
  );
  return {
    pending: toUsd(balance.pendingCents),
    available: toUsd(balance.availableCents),
    reserved: toUsd(balance.reservedCents),
    inTransit: toUsd(inTransitCents),
    paid: toUsd(balance.sentCents - inTransitCents),
    owed: toUsd(balance.owedCents),
    // A refund counts on the day of its sale, so that no week is negative.
    thisWeek: toUsd(balance.thisWeekCents),
    lastWeek: toUsd(balance.lastWeekCents),
    nextClearsAt: balance.nextClearsAt?.toISOString() ?? null,
  };
}

export async function viewClearingDays(ctx: Context, actor: Actor): Promise<ResponseInputOf<typeof clearingDaysRoute>> {
  const days = await listPendingByDay(ctx.db, actor.userId, ctx.clock.now());
  return { data: days.map(({ day, count, cents }) => ({ date: day, transactionCount: count, amount: toUsd(cents) })) };
}
