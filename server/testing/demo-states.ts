import type { Database } from '../platform/database/db.ts';

export type CountedTable =
  | 'users'
  | 'posts'
  | 'media'
  | 'sales'
  | 'follows'
  | 'post_likes'
  | 'deposits'
  | 'subscription_periods';

export function listPayoutStates({ query }: Database) {
  return query.selectFrom('payouts').select(['status', 'transfer', 'batch_id']).orderBy('created_at').execute();
}

/** Some more are active, by the month; how many depends on the day of the month. */
export const SUBSCRIPTION_STATES = {
  canceled: 3,
  'ended canceled': 1,
  'ended refunded': 1,
  'ended unpaid': 1,
  failing: 1,
  free: 2,
  'monthaly 3': 2,
  trial: 3,
  'yearly 1': 2,
};

export async function countSubscriptionStates({ pool }: Database): Promise<Record<string, number>> {
  const { rows } = await pool.query<{ state: string; count: number }>(
    `select case when s.ended_at is not null then 'ended ' || s.end_reason when s.paid_until is null then 'free'
        when not s.is_renewing then 'canceled' when s.failed_attempts > 0 then 'failing' when s.period_number = 0 then 'trial'
        else s.recurrence || ' ' || s.recurrence_count end as state, count(*)::int as count
      from subscriptions s group by 1`,
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

/** Those that started, although each was only ordered by an API call. */
export async function countCardSubscriptions({ pool }: Database): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    "select count(*)::int as count from subscriptions where payment_source = 'card' and ended_at is null",
  );
  return rows[0]?.count ?? 0;
}
