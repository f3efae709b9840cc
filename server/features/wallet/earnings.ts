/** What a creator earned: one by one with its split, in sums, and as a chart. Days, weeks and months are UTC's. */
import { toUsd } from '@stagedoor/contract/atoms/money.ts';
import type { AnswerOf, QueryOf } from '@stagedoor/contract/atoms/route.ts';
import {
  type chartEntry,
  type creatorBalance,
  type creatorStats,
  EARNING_KINDS,
  type earning,
  type earningsChart,
  type listEarnings as listEarningsRoute,
} from '@stagedoor/contract/wallet.ts';
import type * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import { cursorOf, readIdOffset } from '../../kernel/offset.ts';
import type { Actor } from '../../kernel/session.ts';
import { account, balanceOf } from '../ledger/index.ts';
import { SALE_KINDS } from '../sales/index.ts';
import {
  countFollowers,
  type Earned,
  type EarningRow,
  earnedByDay,
  earnedInAll,
  findEarning,
  listEarnings,
  nextClearing,
} from './earnings-store.ts';
import { type Names, namesOf, tipPlace } from './statement.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Longer than anything waits to clear. */
const LONGEST_CLEARING_MS = 60 * DAY_MS;

function presentEarning(row: EarningRow, names: Names): z.input<typeof earning> {
  const fan = names.people.get(row.fan_id);
  return {
    id: row.id,
    createdAt: row.created_at.toISOString(),
    kind: row.kind,
    gross: toUsd(row.gross_cents),
    platformFee: toUsd(row.fee_cents),
    feePercent: row.fee_basis_points / 100,
    net: toUsd(row.gross_cents - row.fee_cents),
    clearsAt: row.clears_at.toISOString(),
    isReversed: row.reversed_cents >= row.gross_cents,
    fan: { name: fan?.name ?? 'A fan', avatarUrl: fan?.avatarUrl ?? null },
    note: row.note,
    detail: row.kind === 'tip' ? tipPlace(row, names) : (names.posts.get(row.subject_id ?? '') ?? ''),
    href: row.subject_id === null ? null : `/post/${row.subject_id}`,
  };
}

/** One sale of a creator as their list shows it; nothing for kinds that the list does not show. */
export async function earningOf(
  ctx: Context,
  creatorId: string,
  transactionId: string,
): Promise<z.input<typeof earning> | undefined> {
  const row = await findEarning(ctx.db, creatorId, transactionId, EARNING_KINDS);
  return row && presentEarning(row, await namesOf(ctx, [row]));
}

/** The actor's own earnings with their split, newest first. */
export async function viewEarnings(
  ctx: Context,
  actor: Actor,
  { limit, offset, kind }: QueryOf<typeof listEarningsRoute>,
): Promise<AnswerOf<typeof listEarningsRoute>> {
  const kinds = kind ? [kind] : EARNING_KINDS;
  const page = { ...readIdOffset(offset), limit: limit + 1 };
  const [rows, { items }] = await Promise.all([
    listEarnings(ctx.db, actor.userId, kinds, page),
    earnedInAll(ctx.db, account.pending(actor.userId), kinds),
  ]);
  const shown = rows.slice(0, limit);
  const names = await namesOf(ctx, shown);
  const last = shown.at(-1);
  return {
    data: shown.map((row) => presentEarning(row, names)),
    limit,
    totalCount: items,
    ...(rows.length > limit && last && { nextOffset: cursorOf(last.id) }),
  };
}

function startOfDay(at: Date): Date {
  return new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS);
}

function dayText(at: Date): string {
  return at.toISOString().slice(0, 10);
}

function sum(days: readonly (Earned & { day: string })[], from: string, to = '9999-12-31'): Earned {
  const within = days.filter(({ day }) => day >= from && day <= to);
  return {
    cents: within.reduce((total, { cents }) => total + cents, 0),
    items: within.reduce((total, { items }) => total + items, 0),
  };
}

/** Earned, sold and followed: in all, today and yesterday. */
export async function viewCreatorStats(ctx: Context, actor: Actor): Promise<AnswerOf<typeof creatorStats>> {
  const pending = account.pending(actor.userId);
  const today = startOfDay(ctx.clock.now());
  const yesterday = new Date(today.getTime() - DAY_MS);
  const [all, days, followers] = await Promise.all([
    earnedInAll(ctx.db, pending, SALE_KINDS),
    earnedByDay(ctx.db, pending, SALE_KINDS, dayText(yesterday)),
    countFollowers(ctx.db, actor.userId, yesterday, today),
  ]);
  const now = sum(days, dayText(today));
  const before = sum(days, dayText(yesterday), dayText(yesterday));
  return {
    earnings: { total: toUsd(all.cents), today: toUsd(now.cents), yesterday: toUsd(before.cents) },
    transactions: { total: all.items, today: now.items, yesterday: before.items },
    followers,
  };
}

/** The least UUIDv7 of an instant: no id made then or later is smaller. */
function leastIdOf(at: Date): string {
  const hex = at.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** Weeks begin on Monday. */
function startOfWeek(at: Date): Date {
  const day = startOfDay(at);
  return new Date(day.getTime() - ((day.getUTCDay() + 6) % 7) * DAY_MS);
}

export async function viewCreatorBalance(ctx: Context, actor: Actor): Promise<AnswerOf<typeof creatorBalance>> {
  const now = ctx.clock.now();
  const thisWeek = startOfWeek(now);
  const lastWeek = new Date(thisWeek.getTime() - 7 * DAY_MS);
  const pending = account.pending(actor.userId);
  const [pendingCents, availableCents, days, nextClearsAt] = await Promise.all([
    balanceOf(ctx.db, pending),
    balanceOf(ctx.db, account.available(actor.userId)),
    earnedByDay(ctx.db, pending, SALE_KINDS, dayText(lastWeek)),
    nextClearing(ctx.db, actor.userId, leastIdOf(new Date(now.getTime() - LONGEST_CLEARING_MS)), now),
  ]);
  return {
    pending: toUsd(pendingCents),
    available: toUsd(availableCents),
    thisWeek: weekUsd(days, dayText(thisWeek)),
    lastWeek: weekUsd(days, dayText(lastWeek), dayText(new Date(thisWeek.getTime() - 1))),
    nextClearsAt: nextClearsAt?.toISOString() ?? null,
  };
}

/** Refunds count on the day of their sale, so a week's sum is never below zero. */
function weekUsd(days: readonly (Earned & { day: string })[], from: string, to?: string): number {
  return toUsd(Math.max(0, sum(days, from, to).cents));
}

type Point = { key: string; entry: Pick<z.input<typeof chartEntry>, 'date' | 'month' | 'year' | 'label'> };

/** The chart's points, oldest first; `key` begins every day that belongs to one (row G2). */
export function chartPoints(period: QueryOf<typeof earningsChart>['period'], now: Date): Point[] {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  const name = (at: Date, options: Intl.DateTimeFormatOptions) =>
    at.toLocaleDateString('en-US', { ...options, timeZone: 'UTC' });
  const back = (count: number) => Array.from({ length: count }, (_, index) => count - 1 - index);
  if (period === 'weekly') {
    return back(7).map((ago) => {
      const at = new Date(Date.UTC(year, month, day - ago));
      return { key: dayText(at), entry: { date: dayText(at), label: name(at, { weekday: 'short' }) } };
    });
  }
  if (period === 'monthly') {
    return back(12).map((ago) => {
      const at = new Date(Date.UTC(year, month - ago, 1));
      const key = dayText(at).slice(0, 7);
      return { key, entry: { month: key, label: name(at, { month: 'short' }) } };
    });
  }
  return back(3).map((ago) => {
    const key = String(year - ago);
    return { key, entry: { year: key, label: key } };
  });
}

/** 7 days, 12 months or 3 years of net earnings, up to today. */
export async function viewChart(
  ctx: Context,
  actor: Actor,
  { period }: QueryOf<typeof earningsChart>,
): Promise<AnswerOf<typeof earningsChart>> {
  const points = chartPoints(period, ctx.clock.now());
  const from = `${points[0]?.key ?? ''}-01-01`.slice(0, 10);
  const days = await earnedByDay(ctx.db, account.pending(actor.userId), SALE_KINDS, from);
  const data = points.map(({ key, entry }) => {
    const own = days.filter(({ day }) => day.startsWith(key));
    const { cents, items } = sum(own, '');
    return { ...entry, totalEarnings: toUsd(Math.max(0, cents)), transactionCount: items };
  });
  return { data };
}
