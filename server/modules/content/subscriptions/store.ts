import type { PaymentSource, SubscriptionEnd } from '@stagedoor/contract/content/subscriptions.ts';
import type {
  SubscriptionId,
  SubscriptionOfferId,
  SubscriptionTierId,
  UserId,
} from '@stagedoor/contract/shared/ids.ts';
import type { Recurrence } from '@stagedoor/contract/shared/recurrence.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../platform/database/db.ts';
import { FIRST_ID } from '../../../platform/database/pagination.ts';

export type SubscriptionRow = {
  id: SubscriptionId;
  fan_id: UserId;
  creator_id: UserId;
  tier_id: SubscriptionTierId;
  recurrence: Recurrence;
  recurrence_count: 1 | 3 | 6 | 12;
  price_cents: number;
  payment_source: PaymentSource;
  /** Null if the balance pays. */
  recurring_payment_id: string | null;
  /** When the processor charges the card next. */
  next_charge_at: Date | null;
  anchor_at: Date;
  /** The number of the period that ends at the anchor. */
  anchor_period: number;
  time_zone: string;
  period_number: number;
  paid_until: Date | null;
  is_renewing: boolean;
  due_at: Date | null;
  failed_attempts: number;
  failed_at: Date | null;
  new_price_cents: number | null;
  new_price_from: Date | null;
  agreed_price_cents: number | null;
  agreed_price_from: Date | null;
  offer_id: SubscriptionOfferId | null;
  discount_percent: number | null;
  discount_periods_left: number | null;
  reminded_period: number | null;
  started_at: Date;
  /** When the fan began to subscribe to the creator. A change of the tier does not interrupt it. */
  joined_at: Date;
  canceled_at: Date | null;
  ended_at: Date | null;
  end_reason: SubscriptionEnd | null;
  /** Another fan who paid the first period as a gift. */
  payer_id: UserId | null;
};

const COLUMNS = `s.id, s.fan_id, s.creator_id, s.tier_id, s.recurrence, s.recurrence_count, s.price_cents,
  s.anchor_at, s.anchor_period, s.time_zone,
  s.period_number, s.paid_until, s.is_renewing, s.due_at, s.failed_attempts, s.failed_at, s.new_price_cents, s.new_price_from, s.agreed_price_cents, s.agreed_price_from,
  s.offer_id, s.discount_percent, s.discount_periods_left, s.reminded_period, s.started_at, s.joined_at, s.canceled_at, s.ended_at,
  s.end_reason, s.payer_id, s.payment_source, s.recurring_payment_id, s.next_charge_at`;

/** What the pages show in addition to the row. */
export type SubscriptionView = SubscriptionRow & {
  tier_name: string;
  username: string;
  name: string;
  avatar_key: string | null;
  /** Of the current period, or null without a charge. */
  charged_at: Date | null;
  opened_at: Date | null;
  payer_username: string | null;
  payer_name: string | null;
};

export type CurrentSubscriptionView = SubscriptionView & {
  /** The charges of the balance after the next one, as far as they may be within 30 days. */
  later_charges: Date[];
};
/** A weekly subscription is charged at most this often. */
const MAX_CHARGES_IN_30_DAYS = 5;

const selectViews = (name: string, where: string, columns = ''): SqlStatement => ({
  name,
  text: `select ${COLUMNS}, t.name as tier_name, u.username, u.name, u.avatar_key, p.charged_at, p.opened_at,
      g.username as payer_username, g.name as payer_name${columns}
    from subscriptions s join subscription_tiers t on t.id = s.tier_id join users u on u.id = s.creator_id
    left join subscription_periods p on p.subscription_id = s.id and p.number = s.period_number
    left join users g on g.id = s.payer_id
    where ${where}`,
});
const FIND_VIEW = selectViews('subscriptions-view', 's.id = $1');
const LIST_CURRENT = selectViews(
  'subscriptions-current',
  `s.fan_id = $1 and s.ended_at is null order by coalesce(s.next_charge_at, s.due_at) nulls last, s.id`,
  `, array(
      select subscription_boundary(s.anchor_at, s.time_zone, s.recurrence, s.recurrence_count, n - s.anchor_period)
      from generate_series(s.period_number + 1, s.period_number + ${MAX_CHARGES_IN_30_DAYS - 1}) n
      where s.is_renewing and s.payment_source = 'balance') as later_charges`,
);
const LIST_ENDED = selectViews(
  'subscriptions-ended',
  `s.fan_id = $1 and s.ended_at is not null and s.id < $2::uuid order by s.id desc offset $3 limit $4`,
);
const COUNT_ENDED: SqlStatement = {
  name: 'subscriptions-count-ended',
  text: 'select count(*)::int as count from subscriptions where fan_id = $1 and ended_at is not null',
};

export async function findView(db: Executor, id: string): Promise<SubscriptionView | undefined> {
  const [view] = await db.run<SubscriptionView>(FIND_VIEW, [id]);
  return view;
}
export function listCurrent(db: Executor, fanId: string): Promise<CurrentSubscriptionView[]> {
  return db.run<CurrentSubscriptionView>(LIST_CURRENT, [fanId]);
}
export function listEnded(
  db: Executor,
  fanId: string,
  { before, skip, limit }: { before: string; skip: number; limit: number },
): Promise<SubscriptionView[]> {
  return db.run<SubscriptionView>(LIST_ENDED, [fanId, before, skip, limit]);
}
export async function countEnded(db: Executor, fanId: string): Promise<number> {
  const [row] = await db.run<{ count: number }>(COUNT_ENDED, [fanId]);
  return row?.count ?? 0;
}

const LOCK: SqlStatement = {
  name: 'subscriptions-lock',
  text: `select ${COLUMNS} from subscriptions s where s.id = $1 for no key update`,
};
const FIND_CURRENT: SqlStatement = {
  name: 'subscriptions-find-current',
  text: `select ${COLUMNS} from subscriptions s where s.fan_id = $1 and s.creator_id = $2 and s.ended_at is null`,
};
const HAS_HAD: SqlStatement = {
  name: 'subscriptions-has-had',
  text: 'select exists (select from subscriptions where fan_id = $1 and creator_id = $2) as had',
};
export async function lockSubscription(tx: DbTransaction, id: string): Promise<SubscriptionRow | undefined> {
  const [row] = await tx.run<SubscriptionRow>(LOCK, [id]);
  return row;
}
export async function findCurrent(
  db: Executor,
  fanId: string,
  creatorId: string,
): Promise<SubscriptionRow | undefined> {
  const [row] = await db.run<SubscriptionRow>(FIND_CURRENT, [fanId, creatorId]);
  return row;
}
/** Whether the fan ever subscribed to the creator, also by a gift. */
export async function hasSubscribedBefore(db: Executor, fanId: string, creatorId: string): Promise<boolean> {
  const [row] = await db.run<{ had: boolean }>(HAS_HAD, [fanId, creatorId]);
  return row?.had ?? false;
}

const HAS_JOINED: SqlStatement = {
  name: 'subscriptions-has-joined',
  text: `select exists (select from subscriptions
    where fan_id = $1 and creator_id = $2 and (payer_id is null or period_number > 1)) as had`,
};
/** Whether the fan can still have a trial of the creator. A gift counts only if the fan continued it. */
export async function canHaveTrial(db: Executor, fanId: string, creatorId: string): Promise<boolean> {
  const [row] = await db.run<{ had: boolean }>(HAS_JOINED, [fanId, creatorId]);
  return row?.had === false;
}

const LIST_DUE: SqlStatement = {
  name: 'subscriptions-due',
  text: `select id, due_at from subscriptions where due_at <= $1 and (due_at, id) > (coalesce($2::timestamptz, '-infinity'), $3::uuid)
      and not (is_renewing and $4::boolean) order by due_at, id limit $5`,
};
const LOCK_DUE: SqlStatement = {
  name: 'subscriptions-lock-due',
  text: `select ${COLUMNS} from subscriptions s where s.id = $1 and s.due_at <= $2 for no key update skip locked`,
};
export type DueSubscription = { id: string; due_at: Date };
type DuePage = { at: Date; after: DueSubscription | undefined; endsOnly: boolean; limit: number };
/** The longest overdue first. `endsOnly` leaves out those that would be charged. */
export function listDue(db: Executor, { at, after, endsOnly, limit }: DuePage): Promise<DueSubscription[]> {
  return db.run<DueSubscription>(LIST_DUE, [at, after?.due_at ?? null, after?.id ?? FIRST_ID, endsOnly, limit]);
}
/** Returns undefined if the subscription is no longer due, or another process has locked it. */
export async function lockDue(tx: DbTransaction, id: string, at: Date): Promise<SubscriptionRow | undefined> {
  const [row] = await tx.run<SubscriptionRow>(LOCK_DUE, [id, at]);
  return row;
}

type BoundaryInput = Pick<SubscriptionRow, 'anchor_at' | 'time_zone' | 'recurrence' | 'recurrence_count'> &
  Partial<Pick<SubscriptionRow, 'anchor_period'>>;
const BOUNDARY: SqlStatement = {
  name: 'subscriptions-boundary',
  text: 'select subscription_boundary($1, $2, $3, $4, $5) as at',
};
/** Returns when the period with this number ends. */
export async function getBoundary(db: Executor, row: BoundaryInput, number: number): Promise<Date> {
  const [boundary] = await db.run<{ at: Date }>(BOUNDARY, [
    row.anchor_at,
    row.time_zone,
    row.recurrence,
    row.recurrence_count,
    number - (row.anchor_period ?? 0),
  ]);
  if (!boundary) throw new Error('subscription_boundary returned no row');
  return boundary.at;
}

const FIND_BLOCKED: SqlStatement = {
  name: 'subscriptions-blocked',
  text: 'select f.is_blocked as fan, c.is_blocked as creator from users f, users c where f.id = $1 and c.id = $2',
};
/** Whether the accounts of a fan and a creator are blocked by operators. */
export async function getBlockedAccounts(
  db: Executor,
  { fan_id: fanId, creator_id: creatorId }: Pick<SubscriptionRow, 'fan_id' | 'creator_id'>,
): Promise<{ fan: boolean; creator: boolean }> {
  const [row] = await db.run<{ fan: boolean; creator: boolean }>(FIND_BLOCKED, [fanId, creatorId]);
  return row ?? { fan: true, creator: true };
}

const TRIAL_END: SqlStatement = {
  name: 'subscriptions-trial-end',
  text: `select (($1::timestamptz at time zone $2) + $3::int * interval '1 day') at time zone $2 as at`,
};
export async function getTrialEnd(db: Executor, at: Date, timeZone: string, days: number): Promise<Date> {
  const [end] = await db.run<{ at: Date }>(TRIAL_END, [at, timeZone, days]);
  if (!end) throw new Error('the end of the trial was not calculated');
  return end.at;
}

type NewSubscription = Pick<
  SubscriptionRow,
  | 'id'
  | 'fan_id'
  | 'creator_id'
  | 'tier_id'
  | 'recurrence'
  | 'recurrence_count'
  | 'price_cents'
  | 'anchor_at'
  | 'time_zone'
  | 'period_number'
  | 'paid_until'
  | 'is_renewing'
  | 'due_at'
  | 'started_at'
> &
  Partial<
    Pick<
      SubscriptionRow,
      | 'joined_at'
      | 'payer_id'
      | 'offer_id'
      | 'discount_percent'
      | 'discount_periods_left'
      | 'payment_source'
      | 'recurring_payment_id'
      | 'next_charge_at'
    >
  >;
export async function insertSubscription(tx: DbTransaction, row: NewSubscription): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx.query
    .insertInto('subscriptions')
    .values({ joined_at: row.started_at, ...row })
    .onConflict((conflict) => conflict.columns(['fan_id', 'creator_id']).where('ended_at', 'is', null).doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

type Changes = Partial<
  Pick<
    SubscriptionRow,
    | 'anchor_at'
    | 'anchor_period'
    | 'price_cents'
    | 'payment_source'
    | 'recurring_payment_id'
    | 'period_number'
    | 'paid_until'
    | 'is_renewing'
    | 'due_at'
    | 'next_charge_at'
    | 'failed_attempts'
    | 'failed_at'
    | 'new_price_cents'
    | 'new_price_from'
    | 'agreed_price_cents'
    | 'agreed_price_from'
    | 'discount_percent'
    | 'discount_periods_left'
    | 'reminded_period'
    | 'canceled_at'
    | 'ended_at'
    | 'end_reason'
  >
>;
export async function updateSubscription(tx: DbTransaction, id: string, changes: Changes): Promise<void> {
  await tx.query.updateTable('subscriptions').set(changes).where('id', '=', id).execute();
}

export type PeriodRow = {
  subscription_id: string;
  number: number;
  id: string;
  starts_at: Date;
  ends_at: Date;
  charged_at: Date;
  price_cents: number;
  sale_id: string;
  deposit_id: string | null;
  opened_at: Date | null;
  refunded_cents: number;
};
export async function insertPeriod(tx: DbTransaction, period: Omit<PeriodRow, 'refunded_cents'>): Promise<void> {
  await tx.query.insertInto('subscription_periods').values(period).execute();
}
export function findPeriod(db: Executor, subscriptionId: string, number: number): Promise<PeriodRow | undefined> {
  return db.query
    .selectFrom('subscription_periods')
    .selectAll()
    .where('subscription_id', '=', subscriptionId)
    .where('number', '=', number)
    .executeTakeFirst();
}
const FIRST_SALE: SqlStatement = {
  name: 'subscriptions-first-sale',
  text: 'select sale_id from subscription_periods where subscription_id = $1 order by number limit 1',
};
/** The sale of the first paid period. */
export async function findFirstSaleId(db: Executor, subscriptionId: string): Promise<string | undefined> {
  const [row] = await db.run<Pick<PeriodRow, 'sale_id'>>(FIRST_SALE, [subscriptionId]);
  return row?.sale_id;
}
export async function setRefunded(tx: DbTransaction, periodId: string, cents: number): Promise<void> {
  await tx.query
    .updateTable('subscription_periods')
    .set({ refunded_cents: cents })
    .where('id', '=', periodId)
    .execute();
}

const FIND_UNOPENED: SqlStatement = {
  name: 'subscriptions-find-unopened',
  text: `select p.id is not null and p.opened_at is null as "isUnopened"
    from subscriptions s left join subscription_periods p on p.subscription_id = s.id and p.number = s.period_number
    where s.fan_id = $1 and s.creator_id = $2 and s.ended_at is null`,
};
/** Waits for a refund, which locks the subscription, and then finds that it has ended. */
const MARK_OPENED: SqlStatement = {
  name: 'subscriptions-mark-opened',
  text: `with current as (
      select s.id, s.period_number from subscriptions s
      where s.fan_id = $1 and s.creator_id = $2 and s.ended_at is null for share),
    marked as (
      update subscription_periods p set opened_at = $3 from current c
      where p.subscription_id = c.id and p.number = c.period_number and p.opened_at is null)
    select 1 as found from current`,
};
/**
 * Called when a fan opens what only the subscription opens. The current charge can then not be refunded any more. Returns
 * false if the subscription has ended since access was checked, for example by a refund at the same time. The content must
 * then stay closed.
 */
export async function markOpened(db: Executor, fanId: string, creatorId: string, at: Date): Promise<boolean> {
  const [current] = await db.run<{ isUnopened: boolean }>(FIND_UNOPENED, [fanId, creatorId]);
  if (!current?.isUnopened) return current !== undefined;
  return (await db.run(MARK_OPENED, [fanId, creatorId, at])).length > 0;
}

const LIST_CURRENT_IDS: SqlStatement = {
  name: 'subscriptions-current-ids',
  text: 'select id from subscriptions where (fan_id = $1 or creator_id = $1) and ended_at is null order by id limit $2',
};
/** Lists the subscriptions of a fan, or to a creator. */
export async function listCurrentIds(db: Executor, userId: string, limit: number): Promise<string[]> {
  return (await db.run<{ id: string }>(LIST_CURRENT_IDS, [userId, limit])).map(({ id }) => id);
}
