/** Each statement reads the subscriptions of one creator once, by the index on the creator. */
import type { SubscriptionTierId } from '@stagedoor/contract/shared/ids.ts';
import type { Executor, SqlStatement } from '../../../platform/database/db.ts';
import { CURRENT_PRICE, IS_RECURRING, IS_TRIAL, toMonthlySql } from './sql.ts';

export type Counts = {
  subscribers: number;
  joined: number;
  left: number;
  left_of: number;
  previous_left: number;
  previous_of: number;
  finished_trials: number;
  converted_trials: number;
};
const IS_FINISHED_TRIAL = `s.anchor_at > s.started_at and s.anchor_at >= $4 and (s.period_number > 0 or s.ended_at is not null)`;
/** A subscription whose tier was changed continues in the next one, which has the same time of joining. */
const IS_LAST = `s.end_reason is distinct from 'changed'`;
const COUNTS: SqlStatement = {
  name: 'subscription-figures-counts',
  text: `select count(*) filter (where s.ended_at is null)::int as subscribers,
      count(*) filter (where s.ended_at is null and s.joined_at >= $2)::int as joined,
      count(*) filter (where ${IS_LAST} and s.joined_at < $2 and s.ended_at >= $2)::int as left,
      count(*) filter (where ${IS_LAST} and s.joined_at < $2 and (s.ended_at is null or s.ended_at >= $2))::int as left_of,
      count(*) filter (where ${IS_LAST} and s.joined_at < $3 and s.ended_at >= $3 and s.ended_at < $2)::int as previous_left,
      count(*) filter (where ${IS_LAST} and s.joined_at < $3 and (s.ended_at is null or s.ended_at >= $3))::int as previous_of,
      count(*) filter (where ${IS_FINISHED_TRIAL})::int as finished_trials,
      count(*) filter (where ${IS_FINISHED_TRIAL} and s.period_number > 0)::int as converted_trials
    from subscriptions s where s.creator_id = $1`,
};
type CountTimes = { from: Date; previousFrom: Date; trialsFrom: Date };
export async function countSubscriptions(
  db: Executor,
  creatorId: string,
  { from, previousFrom, trialsFrom }: CountTimes,
): Promise<Counts> {
  const [row] = await db.run<Counts>(COUNTS, [creatorId, from, previousFrom, trialsFrom]);
  if (!row) throw new Error('an aggregate returned no row');
  return row;
}

export type ExpectedCharges = {
  renewals: number;
  renewal_cents: number;
  losses: number;
  loss_cents: number;
  trials: number;
  trial_cents: number;
};
const EXPECTED: SqlStatement = {
  name: 'subscription-figures-expected',
  text: `with due as (
      select s.*, d.charge_at, ${IS_TRIAL} as is_trial, case s.recurrence when 'weekly' then interval '1 week'
          when 'monthaly' then s.recurrence_count * interval '1 month' else interval '1 year' end as step
      from subscriptions s cross join lateral (select coalesce(s.next_charge_at, s.due_at) as charge_at) d
      where s.creator_id = $1 and s.ended_at is null and d.charge_at <= $2),
    charges as (
      select d.is_trial, not d.is_renewing or d.failed_attempts > 0 or coalesce(d.new_price_from <= c.at, false) as is_lost,
        case when c.nth <= coalesce(d.discount_periods_left, 0) then 100 - d.discount_percent else 100 end as percent,
        case when d.agreed_price_from <= c.at then d.agreed_price_cents else d.price_cents end as full_cents
      from due d cross join lateral generate_series(d.charge_at, case when d.is_trial then d.charge_at else $2 end, d.step)
        with ordinality c (at, nth)),
    priced as (select *, round(full_cents * percent / 100.0)::bigint as cents from charges)
    select (count(*) filter (where not is_trial))::int as renewals,
      coalesce(sum(cents) filter (where not is_trial), 0)::bigint as renewal_cents,
      (count(*) filter (where not is_trial and is_lost))::int as losses,
      coalesce(sum(cents) filter (where not is_trial and is_lost), 0)::bigint as loss_cents,
      (count(*) filter (where is_trial and not is_lost))::int as trials,
      coalesce(sum(cents) filter (where is_trial and not is_lost), 0)::bigint as trial_cents from priced`,
};
/** Charges that are due until `until`. Losses are part of the renewals. */
export async function sumExpected(db: Executor, creatorId: string, until: Date): Promise<ExpectedCharges> {
  const [row] = await db.run<ExpectedCharges>(EXPECTED, [creatorId, until]);
  if (!row) throw new Error('an aggregate returned no row');
  return row;
}

export type TierSum = {
  id: SubscriptionTierId;
  name: string;
  is_deleted: boolean;
  monthly_cents: number | null;
  subscribers: number;
  recurring_cents: number;
  bundles: number;
  saved_cents: number;
  offers: number;
  offer_saved_cents: number;
};
const MONTHLY = toMonthlySql(CURRENT_PRICE);
const FULL_MONTHLY = toMonthlySql('s.price_cents');
/** A bundle is compared with the current monthly price. */
const SAVED = `greatest(coalesce(t.monthly_cents, 0) - ${FULL_MONTHLY}, 0)`;
const IS_BUNDLE = `s.recurrence = 'monthaly' and s.recurrence_count > 1`;
const TIERS: SqlStatement = {
  name: 'subscription-figures-tiers',
  text: `select t.id, t.name, t.deleted_at is not null as is_deleted, t.monthly_cents, count(s.id)::int as subscribers,
      coalesce(round(sum(${MONTHLY}) filter (where ${IS_RECURRING})), 0)::bigint as recurring_cents,
      count(*) filter (where ${IS_RECURRING} and ${IS_BUNDLE})::int as bundles,
      coalesce(round(sum(${SAVED}) filter (where ${IS_RECURRING} and ${IS_BUNDLE})), 0)::bigint as saved_cents,
      count(*) filter (where ${IS_RECURRING} and s.discount_percent is not null)::int as offers,
      coalesce(round(sum(${FULL_MONTHLY} - ${MONTHLY}) filter (where ${IS_RECURRING})), 0)::bigint as offer_saved_cents
    from subscription_tiers t left join subscriptions s on s.tier_id = t.id and s.ended_at is null
    where t.creator_id = $1 group by t.id having t.deleted_at is null or count(s.id) > 0
    order by t.position nulls last, t.id`,
};
export function sumTiers(db: Executor, creatorId: string): Promise<TierSum[]> {
  return db.run<TierSum>(TIERS, [creatorId]);
}

const MONTHS: SqlStatement = {
  name: 'subscription-figures-months',
  text: `select ends.at, coalesce(round(sum(${toMonthlySql('p.price_cents')})), 0)::bigint as cents
    from subscriptions s join subscription_periods p on p.subscription_id = s.id
      cross join lateral generate_series(date_trunc('month', p.starts_at - interval '1 millisecond', 'UTC') + interval '1 month',
        p.ends_at - interval '1 millisecond', interval '1 month') ends (at)
    where s.creator_id = $1 and (s.payer_id is null or p.number > 1) and p.ends_at > $2 and ends.at between $2 and $3
      and (s.ended_at is null or s.ended_at > ends.at) and (s.canceled_at is null or s.canceled_at > ends.at)
    group by ends.at`,
};
/**
 * Recurring income at the ends of months (UTC), by the prices that were paid. Gifts do not recur. Months without income have no
 * row.
 */
export function listRecurringByMonth(
  db: Executor,
  creatorId: string,
  { from, to }: { from: Date; to: Date },
): Promise<{ at: Date; cents: number }[]> {
  return db.run<{ at: Date; cents: number }>(MONTHS, [creatorId, from, to]);
}

/** `staying[k]`: still subscribed at the end of the month that is k + 1 months after joining, or now if that is earlier. */
export type CohortRow = { month: Date; fans: number; staying: number[] };
const toStayingSql = (months: number) => `count(*) filter (where s.ended_at is null or
  s.ended_at > least(date_trunc('month', s.joined_at, 'UTC') + interval '${months + 1} months', $3))::int`;
const createCohortStatement = (months: number): SqlStatement => ({
  name: `subscription-figures-cohorts-${months}`,
  text: `select date_trunc('month', s.joined_at, 'UTC') as month, count(*)::int as fans,
      array[${Array.from({ length: months - 1 }, (_, index) => toStayingSql(index + 1)).join(', ')}] as staying
    from subscriptions s where s.creator_id = $1 and s.joined_at >= $2 and ${IS_LAST} group by 1 order by 1`,
});
export function listCohorts(
  db: Executor,
  creatorId: string,
  { from, now, months }: { from: Date; now: Date; months: number },
): Promise<CohortRow[]> {
  return db.run<CohortRow>(createCohortStatement(months), [creatorId, from, now]);
}
