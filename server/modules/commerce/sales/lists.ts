import type { Cents } from '@stagedoor/contract/shared/money.ts';
import type { Executor, SqlStatement } from '../../../platform/database/db.ts';
import { account } from '../../ledger/ledger/index.ts';

export type Sale = {
  id: string;
  kind: string;
  title: string;
  isOnce: boolean;
  fanId: string;
  creatorId: string;
  subjectId: string | null;
  grossCents: Cents;
  feeCents: Cents;
  netCents: Cents;
  feePercent: number;
  reversedCents: Cents;
  reversedNetCents: Cents;
  tipType: string | null;
  note: string;
  createdAt: Date;
  clearsAt: Date;
  clearedAt: Date | null;
  affiliateCents: Cents;
};

const COLUMNS = `s.id, s.kind, k.title, k.is_once as "isOnce", s.fan_id as "fanId", s.creator_id as "creatorId", s.subject_id as "subjectId", s.gross_cents as "grossCents", s.fee_cents as "feeCents",
  s.net_cents as "netCents", s.fee_basis_points / 100.0 as "feePercent", s.reversed_cents as "reversedCents", s.reversed_cents - s.reversed_fee_cents as "reversedNetCents",
  s.tip_type as "tipType", s.note, s.created_at as "createdAt", s.clears_at as "clearsAt",
  (select max(t.occurred_at) from ledger_clearings c join ledger_transactions t on t.id = c.clearing_id where c.transaction_id = s.id) as "clearedAt",
  (select coalesce(sum(c.cents), 0)::bigint from sales_commissions c where c.sale_id = s.id) as "affiliateCents"`;

const FIND: SqlStatement = {
  name: 'sales-find',
  text: `select ${COLUMNS} from sales s join ledger_kinds k on k.kind = s.kind where s.id = any($1::uuid[])`,
};

/** Returns a sale by its id (the ledger transaction id). The caller must check who may see it. */
export async function findSale(db: Executor, id: string): Promise<Sale | undefined> {
  return (await listSalesByIds(db, [id]))[0];
}

export function listSalesByIds(db: Executor, ids: readonly string[]): Promise<Sale[]> {
  return db.run<Sale>(FIND, [ids]);
}

const REVERSALS: SqlStatement = {
  name: 'sales-reversals-of',
  text: `select t.id, t.occurred_at as "createdAt", k.title from ledger_reversals r join ledger_transactions t on t.id = r.transaction_id
    join ledger_kinds k on k.kind = t.kind where r.reverses_id = $1 order by t.id`,
};

export function listSaleReversals(
  db: Executor,
  saleId: string,
): Promise<{ id: string; createdAt: Date; title: string }[]> {
  return db.run(REVERSALS, [saleId]);
}

export type SalesPageInput = {
  kind?: string | undefined;
  /** First and last day (YYYY-MM-DD) in UTC. */
  from?: string | undefined;
  to?: string | undefined;
  limit: number;
  skip?: number;
  before?: string | undefined;
};

/** One index lookup per kind, so that a rare kind is found without scanning the others. */
const OF_CREATOR: SqlStatement = {
  name: 'sales-of-creator',
  text: `select ${COLUMNS} from (select * from ledger_kinds where fee_account is not null and ($2::text is null or kind = $2)) k, lateral (
      select * from sales where creator_id = $1 and sales.kind = k.kind
        and (created_at, id) < (coalesce((select created_at from sales where id = $3), 'infinity'), $3::uuid)
        and created_at >= $6::date::timestamp at time zone 'UTC' and created_at < ($7::date + 1)::timestamp at time zone 'UTC'
        order by created_at desc, id desc limit $4::bigint + $5::bigint) s
    order by s.created_at desc, s.id desc limit $4 offset $5`,
};
export const SALE_TAG = 'tag = any (array(select kind from ledger_kinds where fee_account is not null))';
const COUNT: SqlStatement = {
  name: 'sales-count-of-creator',
  text: `select coalesce(sum(items), 0)::bigint as count from ledger_received((select id from ledger_accounts where code = $1), $3::date, $4::date + 1)
    where ${SALE_TAG} and ($2::text is null or tag = $2)`,
};
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Lists sales newest first, including refunded ones. `before` is the last id of the previous page. */
export async function listSalesForCreator(
  db: Executor,
  creatorId: string,
  page: SalesPageInput,
): Promise<{ sales: Sale[]; totalCount: number }> {
  const { kind = null, from = '-infinity', to = 'infinity' } = page;
  const [sales, counted] = await Promise.all([
    db.run<Sale>(OF_CREATOR, [creatorId, kind, page.before ?? LAST_ID, page.limit, page.skip ?? 0, from, to]),
    db.run<{ count: number }>(COUNT, [account.pending(creatorId), kind, from, to]),
  ]);
  return { sales, totalCount: counted[0]?.count ?? 0 };
}

/** Starts from the statement lines of the fan, because a creator may have many more sales. */
const SPENT_WITH: SqlStatement = {
  name: 'sales-spent-with',
  text: `select k.title, count(*) as count, sum(s.gross_cents - s.reversed_cents)::bigint as cents from sales s join ledger_kinds k on k.kind = s.kind
    where s.creator_id = $1 and s.id in (select l.transaction_id from ledger_lines l join ledger_accounts a on a.id = l.account_id where a.code = any ($2::text[])
      and l.kind in (select kind from ledger_kinds where fee_account is not null)) group by k.title order by 3 desc, 1`,
};

export function listSpendingByKind(
  db: Executor,
  fanId: string,
  creatorId: string,
): Promise<{ title: string; count: number; cents: number }[]> {
  return db.run(SPENT_WITH, [creatorId, [account.wallet(fanId), account.hold(fanId)]]);
}

/** Reads only the latest lines of the fans, so that the cost is bounded. */
const BOUGHT_BY: SqlStatement = {
  name: 'sales-bought-by',
  text: `select ${COLUMNS}, count(*) over ()::int as count from sales s join ledger_kinds k on k.kind = s.kind where s.id in (
      select l.transaction_id from ledger_accounts a, lateral (
        select transaction_id, kind from ledger_lines where account_id = a.id order by line desc limit 1000) l
      where a.code = any ($1::text[]) and l.kind in (select kind from ledger_kinds where fee_account is not null))
    and ($2::uuid is null or s.creator_id = $2) order by s.gross_cents > s.reversed_cents desc, coalesce(s.subject_id = $3::uuid, false) desc, s.created_at desc, s.id desc limit $4`,
};

/**
 * Returns purchases of the fans from a creator, or from all creators with null. Sales with money left come before fully
 * refunded ones, then those of `preferredSubjectId`, then the newest. `count` includes sales beyond the limit. Looks at the latest
 * 1,000 entries of each account.
 */
export async function listSalesToFans(
  db: Executor,
  filter: { fanIds: readonly string[]; creatorId: string | null; preferredSubjectId: string | null; limit: number },
): Promise<{ sales: Sale[]; count: number }> {
  const codes = filter.fanIds.flatMap((id) => [account.wallet(id), account.hold(id)]);
  const rows = await db.run<Sale & { count: number }>(BOUGHT_BY, [
    codes,
    filter.creatorId,
    filter.preferredSubjectId,
    filter.limit,
  ]);
  return { sales: rows.map(({ count: _, ...sale }) => sale), count: rows[0]?.count ?? 0 };
}

const SPENT: SqlStatement = {
  name: 'sales-spent',
  text: `select coalesce(sum(gross_cents - reversed_cents), 0)::bigint as cents from sales where id in (
      select l.transaction_id from ledger_accounts a join ledger_lines l on l.account_id = a.id where a.code = any ($1::text[])
        and l.kind in (select kind from ledger_kinds where fee_account is not null))`,
};

export async function sumSpending(db: Executor, fanId: string): Promise<number> {
  const [row] = await db.run<{ cents: number }>(SPENT, [[account.wallet(fanId), account.hold(fanId)]]);
  return row?.cents ?? 0;
}

const PAID_BY: SqlStatement = {
  name: 'sales-paid-by',
  text: `select a.owner_id as id, count(*) as count, sum(s.gross_cents - s.reversed_cents)::bigint as cents
    from (select distinct a.owner_id, l.transaction_id from ledger_accounts a join ledger_lines l on l.account_id = a.id
      where a.code = any ($2::text[]) and l.kind in (select kind from ledger_kinds where fee_account is not null)) a
    join sales s on s.id = a.transaction_id and s.creator_id = $1 group by 1`,
};

export function listPaymentsByFan(
  db: Executor,
  creatorId: string,
  fanIds: readonly string[],
): Promise<{ id: string; count: number; cents: number }[]> {
  return db.run(PAID_BY, [creatorId, fanIds.flatMap((id) => [account.wallet(id), account.hold(id)])]);
}

const TIPS_BETWEEN: SqlStatement = {
  name: 'sales-tips-between',
  text: `select ${COLUMNS} from sales s join ledger_kinds k on k.kind = s.kind
    where s.creator_id = $1 and s.kind = 'tip' and s.created_at >= $3 and s.created_at <= coalesce($4, 'infinity'::timestamptz) and s.fan_id = $2
    order by s.created_at, s.id`,
};

/** The tips of a fan to a creator in a period, oldest first, including refunded ones. `until` null means until now. */
export function listTipsBetween(
  db: Executor,
  { creatorId, fanId, from, until }: { creatorId: string; fanId: string; from: Date; until: Date | null },
): Promise<Sale[]> {
  return db.run<Sale>(TIPS_BETWEEN, [creatorId, fanId, from, until]);
}

const SUM_TOWARD_GOAL: SqlStatement = {
  name: 'sales-toward',
  text: `select coalesce(sum(gross_cents - reversed_cents), 0)::bigint as cents, count(*) filter (where gross_cents > reversed_cents) as count
    from sales where tip_type = 'profile' and subject_id is not null and subject_id = $1`,
};

export async function sumTipsTowardGoal(db: Executor, goalId: string): Promise<{ cents: number; count: number }> {
  const [row] = await db.run<{ cents: number; count: number }>(SUM_TOWARD_GOAL, [goalId]);
  return row ?? { cents: 0, count: 0 };
}

export const MAX_RANKED_SALES = 1_000;
export type RankedEarner = { kind: 'fan' | 'post'; id: string; count: number; paidCents: number; netCents: number };

const LIST_TOP: SqlStatement = {
  name: 'sales-best',
  text: `with latest as materialized (
      select s.* from ledger_kinds k, lateral (
        select kind, tip_type, subject_id, fan_id, created_at, gross_cents - reversed_cents as paid, net_cents - reversed_cents + reversed_fee_cents as net
        from sales where creator_id = $1 and sales.kind = k.kind order by created_at desc limit $2) s
      where k.fee_account is not null order by s.created_at desc limit $2
    ), ranked as (
      select 'fan' as kind, fan_id as id, count(*) as count, sum(paid)::bigint as paid, sum(net)::bigint as net from latest where paid > 0 group by 2
      union all select 'post', subject_id, count(*), sum(paid)::bigint, sum(net)::bigint from latest
        where paid > 0 and subject_id is not null and (kind = 'post' or tip_type = 'post') group by 2
    )
    select kind, id, count, paid as "paidCents", net as "netCents" from (
      select *, row_number() over (partition by kind order by net desc, paid desc, id) as position from ranked) r where position <= $3 order by kind, position`,
};

/**
 * Returns the fans and the posts that brought a creator the most among the latest {@link MAX_RANKED_SALES} sales, up to `limit`
 * each, highest first.
 */
export function listTopEarners(db: Executor, creatorId: string, limit: number): Promise<RankedEarner[]> {
  return db.run<RankedEarner>(LIST_TOP, [creatorId, MAX_RANKED_SALES, limit]);
}
