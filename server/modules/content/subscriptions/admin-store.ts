import type { SubscriptionList } from '@stagedoor/contract/admin/subscriptions.ts';
import type { Executor, SqlStatement } from '../../../platform/database/db.ts';
import { NEXT_CENTS } from './next-price.ts';
import type { SubscriptionRow } from './store.ts';

/** $1 is now, $2 the end of the time in which charges are due, $3 the start of the recent time. */
const DUE = `(s.next_charge_at is null and s.due_at <= $2 or s.next_charge_at <= $2) and s.is_renewing
  and s.failed_attempts = 0 and (s.new_price_from > s.due_at) is not true
  and $1::timestamptz is not null and $3::timestamptz is not null`;
const ENDED_RECENTLY = '$1::timestamptz is not null and $2::timestamptz is not null and s.ended_at >= $3';
const REFUNDED = `(select sum(p.refunded_cents)::bigint from subscription_periods p where p.subscription_id = s.id)`;
type ListSql = { where: string; order: string; cents: string };
const LISTS: Readonly<Record<SubscriptionList, ListSql>> = {
  due: { where: DUE, order: 'coalesce(s.next_charge_at, s.due_at), s.id', cents: NEXT_CENTS },
  failing: {
    where: 's.failed_attempts > 0 and s.ended_at is null and coalesce($1::timestamptz, $2, $3) is not null',
    order: 's.due_at, s.id',
    cents: NEXT_CENTS,
  },
  unpaid: {
    where: `s.end_reason = 'unpaid' and ${ENDED_RECENTLY}`,
    order: 's.ended_at desc, s.id desc',
    cents: NEXT_CENTS,
  },
  refunded: {
    where: `coalesce($1::timestamptz, $2) is not null and s.id in (
      select p.subscription_id from subscription_periods p join sales l on l.id = p.sale_id
      where p.refunded_cents > 0 and l.refunded_at >= $3)`,
    order: 's.id desc',
    cents: REFUNDED,
  },
  chargeback: {
    where: `s.end_reason = 'chargeback' and ${ENDED_RECENTLY}`,
    order: 's.ended_at desc, s.id desc',
    cents: NEXT_CENTS,
  },
};
/** $1 is the user. */
const OF_USER: ListSql = {
  where: '(s.fan_id = $1 or s.creator_id = $1)',
  order: 's.id desc',
  cents: NEXT_CENTS,
};

export type AdminSubscriptionRow = SubscriptionRow & {
  tier_name: string;
  list_cents: number;
  sale_id: string | null;
  offer_code: string | null;
  offer_percent: number | null;
};

const toSelect = ({
  where,
  cents,
}: ListSql) => `select s.*, t.name as tier_name, ${cents} as list_cents, o.code as offer_code, o.percent_off as offer_percent,
    (select p.sale_id from subscription_periods p where p.subscription_id = s.id order by p.number desc limit 1) as sale_id
  from subscriptions s join subscription_tiers t on t.id = s.tier_id
    left join subscription_offers o on o.id = s.offer_id where ${where}`;
const toSum = ({ where, cents }: ListSql) =>
  `select count(*)::int as count, coalesce(sum(${cents}), 0)::bigint as cents from subscriptions s where ${where}`;

export type ListTimes = { now: Date; dueUntil: Date; since: Date };
const toTimeValues = ({ now, dueUntil, since }: ListTimes) => [now, dueUntil, since];
export type CountedSum = { count: number; cents: number };

export async function sumList(db: Executor, list: SubscriptionList, times: ListTimes): Promise<CountedSum> {
  const statement: SqlStatement = { name: `subscriptions-admin-sum-${list}`, text: toSum(LISTS[list]) };
  const [row] = await db.run<CountedSum>(statement, toTimeValues(times));
  return row ?? { count: 0, cents: 0 };
}

type Page = { limit: number; skip: number };
export function listRows(
  db: Executor,
  list: SubscriptionList,
  times: ListTimes,
  { limit, skip }: Page,
): Promise<AdminSubscriptionRow[]> {
  const sql = LISTS[list];
  const text = `${toSelect(sql)} order by ${sql.order} limit $4 offset $5`;
  return db.run<AdminSubscriptionRow>({ name: `subscriptions-admin-${list}`, text }, [
    ...toTimeValues(times),
    limit,
    skip,
  ]);
}

const LIST_OF_USER: SqlStatement = {
  name: 'subscriptions-admin-of-user',
  text: `${toSelect(OF_USER)} order by ${OF_USER.order} limit $2 offset $3`,
};
const COUNT_OF_USER: SqlStatement = {
  name: 'subscriptions-admin-count-of-user',
  text: `select count(*)::int as count from subscriptions s where ${OF_USER.where}`,
};
const FIND: SqlStatement = {
  name: 'subscriptions-admin-find',
  text: toSelect({ ...OF_USER, where: 's.id = $1' }),
};
export function listRowsOfUser(db: Executor, userId: string, { limit, skip }: Page): Promise<AdminSubscriptionRow[]> {
  return db.run<AdminSubscriptionRow>(LIST_OF_USER, [userId, limit, skip]);
}
export async function countRowsOfUser(db: Executor, userId: string): Promise<number> {
  return (await db.run<{ count: number }>(COUNT_OF_USER, [userId]))[0]?.count ?? 0;
}
export async function findAdminRow(db: Executor, id: string): Promise<AdminSubscriptionRow | undefined> {
  return (await db.run<AdminSubscriptionRow>(FIND, [id]))[0];
}

export type AdminPeriodRow = {
  number: number;
  id: string;
  starts_at: Date;
  ends_at: Date;
  charged_at: Date;
  price_cents: number;
  sale_id: string;
  opened_at: Date | null;
  reversed_cents: number;
  refunded_at: Date | null;
};
const LIST_PERIODS: SqlStatement = {
  name: 'subscriptions-admin-periods',
  text: `select p.number, p.id, p.starts_at, p.ends_at, p.charged_at, p.price_cents, p.sale_id, p.opened_at, l.reversed_cents, l.refunded_at
    from subscription_periods p join sales l on l.id = p.sale_id where p.subscription_id = $1 order by p.number desc`,
};
/** Newest first. What was refunded is read from the sale, so that it is exact. */
export function listAdminPeriods(db: Executor, subscriptionId: string): Promise<AdminPeriodRow[]> {
  return db.run<AdminPeriodRow>(LIST_PERIODS, [subscriptionId]);
}
