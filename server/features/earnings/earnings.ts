/** Days, weeks and months are in UTC. */
import { toUsd } from '@stagedoor/contract/atoms/money.ts';
import type { AnswerOf, QueryOf } from '@stagedoor/contract/atoms/route.ts';
import type {
  clearingDays as clearingDaysRoute,
  creatorBalance as creatorBalanceRoute,
  creatorStats as creatorStatsRoute,
  earning,
  listEarnings,
  statsByNow,
} from '@stagedoor/contract/earnings.ts';
import { firstDayOf } from '@stagedoor/contract/earnings.ts';
import type * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import { cursorOf, readIdOffset } from '../../kernel/offset.ts';
import type { Actor } from '../../kernel/session.ts';
import { onTheWay } from '../payouts/index.ts';
import {
  clearingDays,
  creatorBalance,
  creatorStats,
  earnedUntil,
  findSale,
  listSalesForCreator,
  type Sale,
  type Stat,
  weekdayOf,
} from '../sales/index.ts';
import { type Names, namesOf, saleHref, saleTitle, tipPlace } from '../wallet/index.ts';
import { countFollowers } from './followers.ts';

function presentEarning(sale: Sale, names: Names): z.input<typeof earning> {
  const fan = names.people.get(sale.fanId);
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
    givenBack: toUsd(sale.reversedCents),
    kept: toUsd(sale.netCents - sale.reversedNetCents),
    fan: { name: fan?.name ?? 'A fan', avatarUrl: fan?.avatarUrl ?? null },
    note: sale.note,
    detail: sale.isOnce ? saleTitle(sale, names) : tipPlace(sale, names),
    href: saleHref(sale, 'creator'),
  };
}

export async function earningOf(ctx: Context, transactionId: string): Promise<z.input<typeof earning> | undefined> {
  const sale = await findSale(ctx.db, transactionId);
  return sale && presentEarning(sale, await namesOf(ctx, [sale]));
}

export async function viewEarnings(
  ctx: Context,
  actor: Actor,
  { limit, offset, kind, range, startDate, endDate }: QueryOf<typeof listEarnings>,
): Promise<AnswerOf<typeof listEarnings>> {
  const { skip, before } = readIdOffset(offset);
  const begin = range && firstDayOf(range, ctx.clock.now());
  const from = begin && (!startDate || startDate < begin) ? begin : startDate;
  const { sales, totalCount } = await listSalesForCreator(ctx.db, actor.userId, {
    kind,
    from,
    to: endDate,
    limit: limit + 1,
    skip,
    before,
  });
  const shown = sales.slice(0, limit);
  const names = await namesOf(ctx, shown);
  const last = shown.at(-1);
  const next = sales.length > limit && last ? { nextOffset: cursorOf(last.id) } : {};
  return { data: shown.map((sale) => presentEarning(sale, names)), limit, totalCount, ...next };
}

function statUsd({ total, today, yesterday }: Stat): Stat {
  return { total: toUsd(total), today: toUsd(today), yesterday: toUsd(yesterday) };
}

export async function viewCreatorStats(ctx: Context, actor: Actor): Promise<AnswerOf<typeof creatorStatsRoute>> {
  const now = ctx.clock.now();
  const [{ earningsCents, transactions }, followers] = await Promise.all([
    creatorStats(ctx.db, actor.userId, now),
    countFollowers(ctx.db, actor.userId, now),
  ]);
  return { earnings: statUsd(earningsCents), transactions, followers };
}

/** A period with more refunds than earnings shows zero. */
const usdOf = ({ earningsCents }: { earningsCents: number }) => toUsd(Math.max(0, earningsCents));

export async function viewStatsByNow(ctx: Context, actor: Actor): Promise<AnswerOf<typeof statsByNow>> {
  const now = ctx.clock.now();
  const before = (days: number) => new Date(now.getTime() - days * 86_400_000);
  const [yesterday, lastWeek, followers] = await Promise.all([
    earnedUntil(ctx.db, actor.userId, before(1)),
    earnedUntil(ctx.db, actor.userId, before(7), weekdayOf(now)),
    countFollowers(ctx.db, actor.userId, now),
  ]);
  return {
    yesterday: {
      earnings: usdOf(yesterday),
      transactions: yesterday.transactions,
      followers: followers.yesterdayByNow,
    },
    lastWeek: usdOf(lastWeek),
  };
}

export async function viewCreatorBalance(ctx: Context, actor: Actor): Promise<AnswerOf<typeof creatorBalanceRoute>> {
  const { userId } = actor;
  // Both are read in one snapshot, because a change in between would be counted twice or not at all.
  const [balance, onTheWayCents] = await ctx.db.snapshot(
    async (db) =>
      [await creatorBalance(db, userId, ctx.clock.now()), await onTheWay(db, { userId, source: 'earnings' })] as const,
  );
  return {
    pending: toUsd(balance.pendingCents),
    available: toUsd(balance.availableCents),
    reserved: toUsd(balance.reservedCents),
    onTheWay: toUsd(onTheWayCents),
    paid: toUsd(balance.sentCents - onTheWayCents),
    owed: toUsd(balance.owedCents),
    // A refund counts on the day of its sale, so that no week is negative.
    thisWeek: toUsd(balance.thisWeekCents),
    lastWeek: toUsd(balance.lastWeekCents),
    nextClearsAt: balance.nextClearsAt?.toISOString() ?? null,
  };
}

export async function viewClearingDays(ctx: Context, actor: Actor): Promise<AnswerOf<typeof clearingDaysRoute>> {
  const days = await clearingDays(ctx.db, actor.userId, ctx.clock.now());
  return { data: days.map(({ day, count, cents }) => ({ date: day, transactionCount: count, amount: toUsd(cents) })) };
}
