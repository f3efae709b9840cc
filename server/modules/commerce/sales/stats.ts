import type { LimitPeriod } from '@stagedoor/contract/commerce/limit-periods.ts';
import { asCents, type Cents } from '@stagedoor/contract/shared/money.ts';
import type { Executor, SqlStatement } from '../../../platform/database/db.ts';
import { account } from '../../ledger/ledger/index.ts';
import { SALE_TAG } from './lists.ts';

const DAY_MS = 86_400_000;
const toUtcDay = (at: Date) => at.toISOString().slice(0, 10);
const toDayBefore = (at: Date, days: number) => toUtcDay(new Date(at.getTime() - days * DAY_MS));

const toEarningsSql = (from: string, to: string) =>
  `(select * from ledger_received((select id from ledger_accounts where code = $1), ${from}, ${to}) where ${SALE_TAG}) e`;
const ALL_TIME = toEarningsSql("'-infinity'", "'infinity'");

export type DailyStat = { total: number; today: number; yesterday: number };
export type CreatorStats = {
  /** Net, in cents. Refunds are deducted on the day of the sale. */
  earningsCents: DailyStat;
  transactions: DailyStat;
};

const STATS: SqlStatement = {
  name: 'sales-stats',
  text: `select * from (select coalesce(sum(amount_cents), 0)::bigint as "totalCents", coalesce(sum(items), 0)::bigint as total from ${ALL_TIME}) ever,
    (select coalesce(sum(amount_cents) filter (where day = $2::date), 0)::bigint as "todayCents", coalesce(sum(items) filter (where day = $2::date), 0)::bigint as today,
      coalesce(sum(amount_cents) filter (where day = $3::date), 0)::bigint as "yesterdayCents", coalesce(sum(items) filter (where day = $3::date), 0)::bigint as yesterday
    from ${toEarningsSql('$3::date', '$2::date + 1')}) days`,
};

/** Returns total, today and yesterday in UTC (row G1). */
export async function getSalesStats(db: Executor, creatorId: string, at: Date): Promise<CreatorStats> {
  type Row = DailyStat & { totalCents: number; todayCents: number; yesterdayCents: number };
  const [row] = await db.run<Row>(STATS, [account.pending(creatorId), toUtcDay(at), toDayBefore(at, 1)]);
  if (!row) throw new Error('sums always return a row');
  return {
    earningsCents: { total: row.totalCents, today: row.todayCents, yesterday: row.yesterdayCents },
    transactions: { total: row.total, today: row.today, yesterday: row.yesterday },
  };
}

const UNTIL: SqlStatement = {
  name: 'sales-until',
  text: `select (whole.cents + part.cents)::bigint as "earningsCents", whole.items + part.items as transactions
    from (select coalesce(sum(amount_cents), 0)::bigint as cents, coalesce(sum(items), 0)::bigint as items
        from ${toEarningsSql('$3::date', '$4::date')}) whole,
      (select coalesce(sum(s.net_cents - s.reversed_cents + s.reversed_fee_cents), 0)::bigint as cents, count(*) as items
        from ledger_kinds k, lateral (select * from sales where creator_id = $2 and sales.kind = k.kind
          and created_at >= $4::date::timestamp at time zone 'UTC' and created_at < $5) s where k.fee_account is not null) part`,
};

/**
 * Returns the earnings from the start of the day `days` before `until` up to `until`, in UTC, counted as in {@link
 * getSalesStats}. Whole days come from stored sums, the last day is summed from its sales.
 */
export async function getEarningsUntil(
  db: Executor,
  creatorId: string,
  until: Date,
  days = 0,
): Promise<{ earningsCents: number; transactions: number }> {
  const values = [account.pending(creatorId), creatorId, toDayBefore(until, days), toUtcDay(until), until];
  const [row] = await db.run<{ earningsCents: number; transactions: number }>(UNTIL, values);
  if (!row) throw new Error('sums always return a row');
  return row;
}

export const toWeekday = (at: Date) => (at.getUTCDay() + 6) % 7;

export type ChartPeriod = 'weekly' | 'monthly' | 'yearly';
export type EarningsSum = { netCents: Cents; feeCents: Cents; count: number };
/**
 * `key` is the day (YYYY-MM-DD), month (YYYY-MM) or year (YYYY) in UTC. `kinds` contains the kinds of sale that
 * occurred.
 */
export type ChartPoint = EarningsSum & { key: string; kinds: ReadonlyMap<string, EarningsSum> };

const CHART: SqlStatement = {
  name: 'sales-chart',
  text: `select left(day::text, $4::int) as key, tag as kind, sum(amount_cents)::bigint as "netCents", sum(platform_cents)::bigint as "feeCents",
      sum(items)::bigint as count
    from ${toEarningsSql('$2::date', '$3::date')} group by 1, 2`,
};

export function addEarnings(parts: Iterable<EarningsSum>): EarningsSum {
  let [netCents, feeCents, count] = [0, 0, 0];
  for (const part of parts) {
    netCents += part.netCents;
    feeCents += part.feeCents;
    count += part.count;
  }
  return { netCents: asCents(netCents), feeCents: asCents(feeCents), count };
}

function listChartKeys(period: ChartPeriod, at: Date): string[] {
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()];
  if (period === 'weekly') return Array.from({ length: 7 }, (_, index) => toDayBefore(at, 6 - index));
  if (period === 'monthly')
    return Array.from({ length: 12 }, (_, index) =>
      toUtcDay(new Date(Date.UTC(year, month - 11 + index, 1))).slice(0, 7),
    );
  return Array.from({ length: 3 }, (_, index) => String(year - 2 + index));
}

/**
 * Returns net earnings for 7 days, 12 months or 3 years up to the current one, in UTC, with 0 for empty ones (row G2).
 */
export async function getSalesChart(
  db: Executor,
  creatorId: string,
  period: ChartPeriod,
  at: Date,
): Promise<ChartPoint[]> {
  const keys = listChartKeys(period, at);
  const first = keys[0] ?? toUtcDay(at);
  const since = `${first}-01-01`.slice(0, 10);
  const until = period === 'weekly' ? toDayBefore(at, -1) : 'infinity';
  type Row = EarningsSum & { key: string; kind: string };
  const rows = await db.run<Row>(CHART, [account.pending(creatorId), since, until, first.length]);
  return keys.map((key) => {
    const kinds = new Map(rows.flatMap(({ key: rowKey, kind, ...earned }) => (rowKey === key ? [[kind, earned]] : [])));
    return { key, ...addEarnings(kinds.values()), kinds };
  });
}

export type EarningsBalance = {
  pendingCents: Cents;
  availableCents: Cents;
  /** Debt from refunds after the money was paid out. Later clearing repays it. */
  owedCents: Cents;
  /** Net earnings since Monday 00:00 UTC, and of the week before. */
  thisWeekCents: Cents;
  lastWeekCents: Cents;
  reservedCents: Cents;
  /** All earnings that are none of the above: sent, and arrived or in transit. */
  sentCents: Cents;
  nextClearsAt: Date | null;
};

const PENDING_AMOUNTS = `(select m.due_at, m.amount_cents from ledger_pending_clearings m where m.account_id = (select id from ledger_accounts where code = $1)
  union all select i.due_at, i.amount_cents from ledger_inflows i where i.account_id = (select id from ledger_accounts where code = $1)
    and i.due_at is not null and i.amount_cents > 0) w`;

const BALANCE: SqlStatement = {
  name: 'sales-balance',
  text: `select "pendingCents", "availableCents", "owedCents", "reservedCents", "thisWeekCents", "lastWeekCents", "nextClearsAt",
      (earned - "pendingCents" - "availableCents" - "reservedCents" + "owedCents")::bigint as "sentCents"
    from (select ledger_balance($1) as "pendingCents", ledger_balance($4) as "availableCents", ledger_balance($5) as "owedCents",
        ledger_balance($6) as "reservedCents", (select coalesce(sum(amount_cents), 0) from ${ALL_TIME}) as earned,
        (select coalesce(sum(amount_cents), 0)::bigint from ${toEarningsSql('$2::date', '$2::date + 7')}) as "thisWeekCents",
        (select coalesce(sum(amount_cents), 0)::bigint from ${toEarningsSql('$3::date', '$2::date')}) as "lastWeekCents",
        least((select min(due_at) from ledger_pending_clearings where account_id = (select id from ledger_accounts where code = $1) and due_at > $7),
          (select min(due_at) from ledger_inflows where account_id = (select id from ledger_accounts where code = $1) and due_at > $7)) as "nextClearsAt") b`,
};

export async function getEarningsBalance(db: Executor, creatorId: string, at: Date): Promise<EarningsBalance> {
  const sinceMonday = toWeekday(at);
  const [row] = await db.run<EarningsBalance>(BALANCE, [
    account.pending(creatorId),
    toDayBefore(at, sinceMonday),
    toDayBefore(at, sinceMonday + 7),
    account.available(creatorId),
    account.receivable(creatorId),
    account.reserved(creatorId),
    at,
  ]);
  if (!row) throw new Error('sums always return a row');
  return row;
}

export type PendingDay = { day: string; count: number; cents: Cents };

const CLEARING: SqlStatement = {
  name: 'sales-clearing-days',
  text: `select (greatest(due_at, $2) at time zone 'UTC')::date::text as day, count(*) as count, sum(amount_cents)::bigint as cents
    from ${PENDING_AMOUNTS} group by 1 order by 1`,
};

/** Returns pending money by clearing day, next first. Overdue amounts count for today. */
export function listPendingByDay(db: Executor, creatorId: string, at: Date): Promise<PendingDay[]> {
  return db.run<PendingDay>(CLEARING, [account.pending(creatorId), at]);
}

export type WalletView = {
  balanceLine: number;
  availableCents: Cents;
  heldCents: Cents;
  spentTodayCents: Cents;
  dailyLimitCents: Cents;
  /** The amount that the limits leave, and the period of the strictest one. */
  remainingCents: Cents;
  limitingPeriod: LimitPeriod;
  pausedUntil: Date | null;
  isBlocked: boolean;
  isForDebt: boolean;
  owedCents: Cents;
};

const WALLET: SqlStatement = {
  name: 'sales-wallet',
  text: `select coalesce(w.balance_cents, 0)::bigint as "availableCents", coalesce(w.lines, 0)::bigint as "balanceLine", ledger_balance($2) as "heldCents",
      d.spent_cents as "spentTodayCents", d.limit_cents as "dailyLimitCents", l.left_cents as "remainingCents", l.period as "limitingPeriod",
      case when w.paused_until > $3 then w.paused_until end as "pausedUntil", coalesce(w.is_frozen, false) as "isBlocked",
      coalesce(w.is_frozen_for_debt, false) as "isForDebt", coalesce(o.balance_cents, 0)::bigint as "owedCents"
    from sales_settings s left join ledger_accounts w on w.code = $1 left join ledger_accounts o on o.code = $4
      cross join lateral (select spent_cents, limit_cents from ledger_limits($5, s.daily_limit_cents, $3) where period = 'day') d
      cross join lateral (select period, limit_cents - spent_cents as left_cents from ledger_limits($5, s.daily_limit_cents, $3)
        where limit_cents is not null order by 2 limit 1) l`,
};

export async function getFanWallet(db: Executor, fanId: string, at: Date): Promise<WalletView> {
  const [row] = await db.run<WalletView>(WALLET, [
    account.wallet(fanId),
    account.hold(fanId),
    at,
    account.owed(fanId),
    fanId,
  ]);
  if (!row) throw new Error('sales_settings is empty');
  return row;
}
