import type { PaymentSource } from '@stagedoor/contract/content/subscriptions.ts';
import type { SubscriberFilter, SubscriberSort } from '@stagedoor/contract/finance/subscription-figures.ts';
import type { SubscriptionId, SubscriptionTierId, UserId } from '@stagedoor/contract/shared/ids.ts';
import type { Recurrence } from '@stagedoor/contract/shared/recurrence.ts';
import type { Executor, SqlStatement } from '../../../platform/database/db.ts';
import { beforeIdSql } from '../../../platform/database/pagination.ts';
import { CURRENT_PRICE, IS_CANCELED, IS_TRIAL, toMonthlySql } from './sql.ts';

export type SubscriberRow = {
  id: SubscriptionId;
  fan_id: UserId;
  username: string;
  name: string;
  avatar_key: string | null;
  tier_id: SubscriptionTierId;
  tier_name: string;
  recurrence: Recurrence;
  recurrence_count: 1 | 3 | 6 | 12;
  price_cents: number;
  period_number: number;
  paid_until: Date | null;
  is_renewing: boolean;
  failed_attempts: number;
  new_price_cents: number | null;
  started_at: Date;
  canceled_at: Date | null;
  ended_at: Date | null;
  end_reason: string | null;
  payer_id: string | null;
  payment_source: PaymentSource;
  offer_code: string | null;
  paid_cents: number;
};

/** Each statement also filters by the time of joining, which only `new` restricts. */
const CONDITIONS: Readonly<Record<SubscriberFilter, string>> = {
  all: 's.ended_at is null',
  new: 's.ended_at is null',
  trial: IS_TRIAL,
  pastDue: 's.ended_at is null and s.failed_attempts > 0',
  canceled: IS_CANCELED,
  ended: 's.ended_at is not null',
};
const ORDERS: Readonly<Record<SubscriberSort, string>> = {
  renewal: 's.ended_at desc nulls first, s.paid_until nulls last, s.id desc',
  paid: 's.paid_cents desc, s.id desc',
  since: 's.id desc',
};
const COLUMNS = `s.id, s.fan_id, s.tier_id, s.recurrence, s.recurrence_count, ${CURRENT_PRICE} as price_cents,
  s.period_number, s.paid_until, s.is_renewing, s.failed_attempts, s.new_price_cents, s.started_at, s.canceled_at,
  s.ended_at, s.end_reason, s.payer_id, s.offer_id, s.payment_source`;
const PAID = `(select coalesce(sum(p.price_cents - p.refunded_cents), 0)::bigint from subscription_periods p
  where p.subscription_id = s.id) as paid_cents`;

/** Rows are chosen first. Users, tiers and (unless they decide the order) sums of periods are read only for those. */
const toViewsSql = (rows: string, order: string, isSummed: boolean) => `select s.*, u.username, u.name, u.avatar_key,
    t.name as tier_name, o.code as offer_code ${isSummed ? '' : `, ${PAID}`}
  from (${rows}) s join users u on u.id = s.fan_id join subscription_tiers t on t.id = s.tier_id
    left join subscription_offers o on o.id = s.offer_id order by ${order}`;

function createPageStatement(filter: SubscriberFilter, sort: SubscriberSort): SqlStatement {
  const isByPaid = sort === 'paid';
  const from = `select ${COLUMNS} ${isByPaid ? `, ${PAID}` : ''} from subscriptions s
    where s.creator_id = $1 and s.joined_at >= $2 and ${CONDITIONS[filter]}`;
  const order = ORDERS[sort];
  const rows = `select * from (${from}) s order by ${order} offset $3 limit $4`;
  return { name: `subscription-figures-page-${filter}-${sort}`, text: toViewsSql(rows, order, isByPaid) };
}

type ListInput = { filter: SubscriberFilter; newFrom: Date };
const toJoinedFrom = ({ filter, newFrom }: ListInput) => (filter === 'new' ? newFrom : new Date(0));

export function listSubscribers(
  db: Executor,
  creatorId: string,
  { sort, skip, limit, ...input }: ListInput & { sort: SubscriberSort; skip: number; limit: number },
): Promise<SubscriberRow[]> {
  const statement = createPageStatement(input.filter, sort);
  return db.run<SubscriberRow>(statement, [creatorId, toJoinedFrom(input), skip, limit]);
}

function createBeforeStatement(filter: SubscriberFilter): SqlStatement {
  const rows = `select ${COLUMNS} from subscriptions s where s.creator_id = $1 and ${beforeIdSql('s.id', '$3')}
    and s.joined_at >= $2 and ${CONDITIONS[filter]} order by s.id desc limit $4`;
  return { name: `subscription-figures-before-${filter}`, text: toViewsSql(rows, 's.id desc', false) };
}
/** Newest first, after the row with the id `before`. */
export function listSubscribersBefore(
  db: Executor,
  creatorId: string,
  { before, limit, ...input }: ListInput & { before: string | null; limit: number },
): Promise<SubscriberRow[]> {
  const statement = createBeforeStatement(input.filter);
  return db.run<SubscriberRow>(statement, [creatorId, toJoinedFrom(input), before, limit]);
}

const toSumSql = (filter: SubscriberFilter, isNew = false) => {
  const where = `filter (where ${CONDITIONS[filter]} ${isNew ? 'and s.joined_at >= $2' : ''})`;
  return `json_build_object('count', count(*) ${where}, 'cents',
    coalesce(round(sum(${toMonthlySql(CURRENT_PRICE)}) ${where}), 0))`;
};
export type SubscriberSums = Record<SubscriberFilter, { count: number; cents: number }>;
const SUMS: SqlStatement = {
  name: 'subscription-figures-filters',
  text: `select ${toSumSql('all')} as all, ${toSumSql('new', true)} as new, ${toSumSql('trial')} as trial,
      ${toSumSql('pastDue')} as "pastDue", ${toSumSql('canceled')} as canceled, ${toSumSql('ended')} as ended
    from subscriptions s where s.creator_id = $1`,
};
/** Counts each filter, and sums what its subscriptions cost per month. */
export async function sumSubscribers(db: Executor, creatorId: string, newFrom: Date): Promise<SubscriberSums> {
  const [row] = await db.run<SubscriberSums>(SUMS, [creatorId, newFrom]);
  if (!row) throw new Error('an aggregate returned no row');
  return row;
}
