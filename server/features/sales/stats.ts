import { asCents, type Cents } from '@stagedoor/contract/atoms/money.ts';
import type { LimitPeriod } from '@stagedoor/contract/own-limits.ts';
import type { Executor, Statement } from '../../kernel/db.ts';
import { account } from '../ledger/index.ts';
import { SALE_TAG } from './lists.ts';

const DAY_MS = 86_400_000;
const dayOf = (at: Date) => at.toISOString().slice(0, 10);
const daysBefore = (at: Date, days: number) => dayOf(new Date(at.getTime() - days * DAY_MS));

const earned = (from: string, to: string) =>
  `(select * from ledger_received((select id from ledger_accounts where code = $1), ${from}, ${to}) where ${SALE_TAG}) e`;
const EVER = earned("'-infinity'", "'infinity'");

export type Stat = { total: number; today: number; yesterday: number };
export type CreatorStats = {
  /** Net, in cents. Refunds are deducted on the day of the sale. */
  earningsCents: Stat;
  transactions: Stat;
};

const STATS: Statement = {
  name: 'sales-stats',
  text: `select * from (select coalesce(sum(amount_cents), 0)::bigint as "totalCents", coalesce(sum(items), 0)::bigint as total from ${EVER}) ever,
    (select coalesce(sum(amount_cents) filter (where day = $2::date), 0)::bigint as "todayCents", coalesce(sum(items) filter (where day = $2::date), 0)::bigint as today,
      coalesce(sum(amount_cents) filter (where day = $3::date), 0)::bigint as "yesterdayCents", coalesce(sum(items) filter (where day = $3::date), 0)::bigint as yesterday
    from ${earned('$3::date', '$2::date + 1')}) days`,
};

/** Returns total, today and yesterday in UTC (row G1). */
export async function creatorStats(db: Executor, creatorId: string, at: Date): Promise<CreatorStats> {
  type Row = Stat & { totalCents: number; todayCents: number; yesterdayCents: number };
  const [row] = await db.run<Row>(STATS, [account.pending(creatorId), dayOf(at), daysBefore(at, 1)]);
  if (!row) throw new Error('sums always answer a row');
  return {
    earningsCents: { total: row.totalCents, today: row.todayCents, yesterday: row.yesterdayCents },
    transactions: { total: row.total, today: row.today, yesterday: row.yesterday },
  };
}

const UNTIL: Statement = {
  name: 'sales-until',
  text: `select (whole.cents + part.cents)::bigint as "earningsCents", whole.items + part.items as transactions
    from (select coalesce(sum(amount_cents), 0)::bigint as cents, coalesce(sum(items), 0)::bigint as items
        from ${earned('$3::date', '$4::date')}) whole,
      (select coalesce(sum(s.net_cents - s.reversed_cents + s.reversed_fee_cents), 0)::bigint as cents, count(*) as items
        from ledger_kinds k, lateral (select * from sales where creator_id = $2 and sales.kind = k.kind
          and created_at >= $4::date::timestamp at time zone 'UTC' and created_at < $5) s where k.fee_account is not null) part`,
};

/**
 * Returns the earnings from the start of the day `days` before `until` up to `until`, in UTC, counted as in {@link
 * creatorStats}. Whole days come from stored sums, the last day is summed from its sales.
 */
export async function earnedUntil(
  db: Executor,
  creatorId: string,
  until: Date,
  days = 0,
): Promise<{ earningsCents: number; transactions: number }> {
  const values = [account.pending(creatorId), creatorId, daysBefore(until, days), dayOf(until), until];
  const [row] = await db.run<{ earningsCents: number; transactions: number }>(UNTIL, values);
  if (!row) throw new Error('sums always answer a row');
  return row;
}

export const weekdayOf = (at: Date) => (at.getUTCDay() + 6) % 7;

export type ChartPeriod = 'weekly' | 'monthly' | 'yearly';
export type Earned = { netCents: Cents; feeCents: Cents; count: number };
/**
 * `key` is the day (YYYY-MM-DD), month (YYYY-MM) or year (YYYY) in UTC. `kinds` contains the kinds of sale that
 * occurred.
 */
export type ChartPoint = Earned & { key: string; kinds: ReadonlyMap<string, Earned> };

const CHART: Statement = {
  name: 'sales-chart',
  text: `select left(day::text, $4::int) as key, tag as kind, sum(amount_cents)::bigint as "netCents", sum(platform_cents)::bigint as "feeCents",
      sum(items)::bigint as count
    from ${earned('$2::date', '$3::date')} group by 1, 2`,
};

export function earnedTogether(parts: Iterable<Earned>): Earned {
  let [netCents, feeCents, count] = [0, 0, 0];
  for (const part of parts) {
    netCents += part.netCents;
    feeCents += part.feeCents;
    count += part.count;
  }
  return { netCents: asCents(netCents), feeCents: asCents(feeCents), count };
}

function keysOf(period: ChartPeriod, at: Date): string[] {
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()];
  if (period === 'weekly') return Array.from({ length: 7 }, (_, index) => daysBefore(at, 6 - index));
  if (period === 'monthly')
    return Array.from({ length: 12 }, (_, index) => dayOf(new Date(Date.UTC(year, month - 11 + index, 1))).slice(0, 7));
  return Array.from({ length: 3 }, (_, index) => String(year - 2 + index));
}

/**
 * Returns net earnings for 7 days, 12 months or 3 years up to the current one, in UTC, with 0 for empty ones (row G2).
 */
export async function creatorChart(
  db: Executor,
  creatorId: string,
  period: ChartPeriod,
  at: Date,
): Promise<ChartPoint[]> {
  const keys = keysOf(period, at);
  const first = keys[0] ?? dayOf(at);
  const since = `${first}-01-01`.slice(0, 10);
  const until = period === 'weekly' ? daysBefore(at, -1) : 'infinity';
  type Row = Earned & { key: string; kind: string };
  const rows = await db.run<Row>(CHART, [account.pending(creatorId), since, until, first.length]);
  return keys.map((key) => {
    const kinds = new Map(rows.flatMap(({ key: of, kind, ...earned }) => (of === key ? [[kind, earned]] : [])));
    return { key, ...earnedTogether(kinds.values()), kinds };
  });
}

export type CreatorBalance = {
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

const WAITING = `(select m.due_at, m.amount_cents from ledger_maturities m where m.account_id = (select id from ledger_accounts where code = $1)
  union all select i.due_at, i.amount_cents from ledger_inflows i where i.account_id = (select id from ledger_accounts where code = $1)
    and i.due_at is not null and i.amount_cents > 0) w`;

const BALANCE: Statement = {
  name: 'sales-balance',
  text: `select "pendingCents", "availableCents", "owedCents", "reservedCents", "thisWeekCents", "lastWeekCents", "nextClearsAt",
      (earned - "pendingCents" - "availableCents" - "reservedCents" + "owedCents")::bigint as "sentCents"
    from (select ledger_balance($1) as "pendingCents", ledger_balance($4) as "availableCents", ledger_balance($5) as "owedCents",
        ledger_balance($6) as "reservedCents", (select coalesce(sum(amount_cents), 0) from ${EVER}) as earned,
        (select coalesce(sum(amount_cents), 0)::bigint from ${earned('$2::date', '$2::date + 7')}) as "thisWeekCents",
        (select coalesce(sum(amount_cents), 0)::bigint from ${earned('$3::date', '$2::date')}) as "lastWeekCents",
        least((select min(due_at) from ledger_maturities where account_id = (select id from ledger_accounts where code = $1) and due_at > $7),
          (select min(due_at) from ledger_inflows where account_id = (select id from ledger_accounts where code = $1) and due_at > $7)) as "nextClearsAt") b`,
};

export async function creatorBalance(db: Executor, creatorId: string, at: Date): Promise<CreatorBalance> {
  const sinceMonday = weekdayOf(at);
  const [row] = await db.run<CreatorBalance>(BALANCE, [
    account.pending(creatorId),
    daysBefore(at, sinceMonday),
    daysBefore(at, sinceMonday + 7),
    account.available(creatorId),
    account.receivable(creatorId),
    account.reserved(creatorId),
    at,
  ]);
  if (!row) throw new Error('sums always answer a row');
  return row;
}

export type ClearingDay = { day: string; count: number; cents: Cents };

const CLEARING: Statement = {
  name: 'sales-clearing-days',
  text: `select (greatest(due_at, $2) at time zone 'UTC')::date::text as day, count(*) as count, sum(amount_cents)::bigint as cents
    from ${WAITING} group by 1 order by 1`,
};

/** Returns pending money by clearing day, next first. Overdue amounts count for today. */
export function clearingDays(db: Executor, creatorId: string, at: Date): Promise<ClearingDay[]> {
  return db.run<ClearingDay>(CLEARING, [account.pending(creatorId), at]);
}

export type WalletView = {
  balanceLine: number;
  availableCents: Cents;
  heldCents: Cents;
  spentTodayCents: Cents;
  dailyLimitCents: Cents;
  /** The amount that the limits leave, and the period of the strictest one. */
  leftCents: Cents;
  leftPeriod: LimitPeriod;
  pausedUntil: Date | null;
  isBlocked: boolean;
  isForDebt: boolean;
  owedCents: Cents;
};

const WALLET: Statement = {
  name: 'sales-wallet',
  text: `select coalesce(w.balance_cents, 0)::bigint as "availableCents", coalesce(w.lines, 0)::bigint as "balanceLine", ledger_balance($2) as "heldCents",
      d.spent_cents as "spentTodayCents", d.limit_cents as "dailyLimitCents", l.left_cents as "leftCents", l.period as "leftPeriod",
      case when w.paused_until > $3 then w.paused_until end as "pausedUntil", coalesce(w.is_frozen, false) as "isBlocked",
      coalesce(w.is_frozen_for_debt, false) as "isForDebt", coalesce(o.balance_cents, 0)::bigint as "owedCents"
    from sales_settings s left join ledger_accounts w on w.code = $1 left join ledger_accounts o on o.code = $4
      cross join lateral (select spent_cents, limit_cents from ledger_limits($5, s.daily_limit_cents, $3) where period = 'day') d
      cross join lateral (select period, limit_cents - spent_cents as left_cents from ledger_limits($5, s.daily_limit_cents, $3)
        where limit_cents is not null order by 2 limit 1) l`,
};

export async function walletOf(db: Executor, fanId: string, at: Date): Promise<WalletView> {
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
