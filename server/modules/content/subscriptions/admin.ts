/** What operators see of subscriptions. */
import {
  type AdminSubscriptionDetail,
  DUE_DAYS,
  type getAdminSubscription,
  type listAdminSubscriptions,
  RECENT_DAYS,
  type SubscriptionList,
  type SubscriptionOverview,
} from '@stagedoor/contract/admin/subscriptions.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { transactionId } from '@stagedoor/contract/shared/ids.ts';
import { asCents, toUsd } from '@stagedoor/contract/shared/money.ts';
import type { QueryOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import { parseSkip, toOffsetPage } from '../../../platform/database/pagination.ts';
import { findUserByName, findUserSummaries } from '../../identity/accounts/index.ts';
import { listPendingApprovals } from '../../identity/approvals/index.ts';
import { logAction } from '../../identity/audit-log/index.ts';
import * as store from './admin-store.ts';
import { calculateUnusedCents } from './endings.ts';
import { findMissedRenewals } from './pauses.ts';
import { getState } from './present.ts';
import { getPriceAt } from './prices.ts';

const DAY_MS = 24 * 60 * 60_000;
type AdminPage = ResponseInputOf<typeof listAdminSubscriptions>;
type AdminView = AdminPage['data'][number];
type DetailView = ResponseInputOf<typeof getAdminSubscription>;

function getTimes(now: Date, dueDays = DUE_DAYS): store.ListTimes {
  const addDays = (days: number) => new Date(now.getTime() + days * DAY_MS);
  return { now, dueUntil: addDays(dueDays), since: addDays(-RECENT_DAYS) };
}

const toCountedSum = ({ count, cents }: store.CountedSum) => ({ count, amount: toUsd(asCents(cents)) });

export async function getOverview({ db, clock }: Context): Promise<SubscriptionOverview> {
  const now = clock.now();
  const sum = async (list: SubscriptionList, dueDays?: number) =>
    toCountedSum(await store.sumList(db, list, getTimes(now, dueDays)));
  const [dueSoon, due, failing, unpaid, refunded, chargeback, missed] = await Promise.all([
    sum('due', 1),
    sum('due'),
    sum('failing'),
    sum('unpaid'),
    sum('refunded'),
    sum('chargeback'),
    findMissedRenewals(db, now),
  ]);
  const paused = missed ? { ...toCountedSum(missed), since: missed.since.toISOString() } : null;
  return { dueSoon, due, failing, unpaid, refunded, chargeback, paused };
}

async function presentRows({ db }: Context, rows: readonly store.AdminSubscriptionRow[]): Promise<AdminView[]> {
  const users = await findUserSummaries(
    db,
    rows.flatMap(({ fan_id: fanId, creator_id: creatorId }) => [fanId, creatorId]),
  );
  const presentUser = <Id extends string>(id: Id) => {
    const user = users.get(id);
    return { id, username: user?.username ?? '', name: user?.name ?? '' };
  };
  return rows.map((row) => ({
    id: row.id,
    fan: presentUser(row.fan_id),
    creator: presentUser(row.creator_id),
    tierName: row.tier_name,
    recurrence: row.recurrence,
    count: row.recurrence_count,
    state: getState(row),
    isRenewing: row.is_renewing,
    amount: toUsd(asCents(row.list_cents)),
    startedAt: row.started_at.toISOString(),
    paymentSource: row.payment_source,
    dueAt: (row.next_charge_at ?? row.due_at)?.toISOString() ?? null,
    endedAt: row.ended_at?.toISOString() ?? null,
    endReason: row.end_reason,
    saleId: row.sale_id === null ? null : z.parse(transactionId, row.sale_id),
  }));
}

export async function viewSubscriptions(
  ctx: Context,
  { list, user, limit, offset }: QueryOf<typeof listAdminSubscriptions>,
): Promise<AdminPage> {
  const skip = parseSkip(offset);
  const times = getTimes(ctx.clock.now());
  if (user === undefined) {
    const [rows, { count: total }] = await Promise.all([
      store.listRows(ctx.db, list, times, { limit, skip }),
      store.sumList(ctx.db, list, times),
    ]);
    return toOffsetPage(await presentRows(ctx, rows), { limit, skip, total });
  }
  const found = await findUserByName(ctx.db, user.replace(/^@/, ''));
  if (!found) return toOffsetPage([], { limit, skip, total: 0 });
  const [rows, total] = await Promise.all([
    store.listRowsOfUser(ctx.db, found.id, { limit, skip }),
    store.countRowsOfUser(ctx.db, found.id),
  ]);
  return toOffsetPage(await presentRows(ctx, rows), { limit, skip, total });
}

type Moment = AdminSubscriptionDetail['events'][number];
function listEvents(row: store.AdminSubscriptionRow, periods: readonly store.AdminPeriodRow[]): Moment[] {
  const toMoment = (
    at: Date | null,
    event: Moment['event'],
    { cents, number }: { cents?: number; number?: number } = {},
  ): Moment[] =>
    at === null
      ? []
      : [
          {
            at: at.toISOString(),
            event,
            amount: cents === undefined ? null : toUsd(asCents(cents)),
            number: number ?? null,
          },
        ];
  const moments = [
    ...toMoment(row.started_at, row.anchor_at > row.started_at ? 'trialStarted' : 'started'),
    ...periods.flatMap((period) => [
      ...toMoment(period.charged_at, 'charged', { cents: period.price_cents, number: period.number }),
      ...toMoment(period.opened_at, 'opened', { number: period.number }),
      ...toMoment(period.refunded_at, 'refunded', { cents: period.reversed_cents, number: period.number }),
    ]),
    ...toMoment(row.failed_at, 'failed', { cents: getPriceAt(row, row.paid_until ?? row.started_at) }),
    ...toMoment(row.new_price_from, 'newPrice', { cents: row.new_price_cents ?? 0 }),
    ...toMoment(row.canceled_at, 'canceled'),
    ...toMoment(row.ended_at, 'ended'),
  ];
  return moments.sort((a, b) => a.at.localeCompare(b.at));
}

const sum = (values: readonly number[]) => asCents(values.reduce((total, value) => total + value, 0));

function presentOffer(row: store.AdminSubscriptionRow): DetailView['offer'] {
  const { offer_code: code, offer_percent: percentOff } = row;
  if (code === null || percentOff === null) return null;
  return { code, percentOff, paymentsLeft: row.discount_periods_left ?? 0 };
}

/** Throws NOT_FOUND. */
export async function loadDetail(ctx: Context, id: string): Promise<DetailView> {
  const [row, periods, approvals] = await Promise.all([
    store.findAdminRow(ctx.db, id),
    store.listAdminPeriods(ctx.db, id),
    listPendingApprovals(ctx, 'subscription', [id]),
  ]);
  const [view] = row ? await presentRows(ctx, [row]) : [];
  if (!row || !view) throw new AppError('NOT_FOUND');
  const current = row.ended_at ? undefined : periods.find(({ number }) => number === row.period_number);
  const { new_price_cents: newPriceCents, new_price_from: newPriceFrom } = row;
  return {
    ...view,
    timeZone: row.time_zone,
    price: toUsd(row.price_cents),
    offer: presentOffer(row),
    paidUntil: row.paid_until?.toISOString() ?? null,
    failedAttempts: row.failed_attempts,
    newPrice:
      newPriceCents !== null && newPriceFrom ? { price: toUsd(newPriceCents), from: newPriceFrom.toISOString() } : null,
    unused: toUsd(current ? calculateUnusedCents(current, ctx.clock.now(), current.reversed_cents) : asCents(0)),
    charged: toUsd(sum(periods.map((period) => period.price_cents))),
    refunded: toUsd(sum(periods.map((period) => period.reversed_cents))),
    periods: periods.map((period) => ({
      number: period.number,
      startsAt: period.starts_at.toISOString(),
      endsAt: period.ends_at.toISOString(),
      chargedAt: period.charged_at.toISOString(),
      price: toUsd(asCents(period.price_cents)),
      refunded: toUsd(asCents(period.reversed_cents)),
      saleId: z.parse(transactionId, period.sale_id),
    })),
    events: listEvents(row, periods),
    pendingApproval: approvals.get(id) ?? null,
  };
}

/** Throws NOT_FOUND. Each view is logged. */
export async function viewSubscription(ctx: Context, operatorId: string, id: string): Promise<DetailView> {
  const detail = await loadDetail(ctx, id);
  const entry = { operatorId, action: 'subscription.view', subjectKind: 'subscription', subjectId: id };
  await ctx.db.transaction((tx) => logAction(ctx, tx, entry));
  return detail;
}
