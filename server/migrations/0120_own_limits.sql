-- What a fan allows themself: limits of a day, a week and a month (UTC), and a break from spending. They stand on the wallet's row, which a
-- charge locks anyway. week_spent_cents and month_spent_cents are of the week and the month of `spent_day`.
alter table ledger_accounts
  add column own_day_cents bigint check (own_day_cents >= 0),
  add column own_week_cents bigint check (own_week_cents >= 0),
  add column own_month_cents bigint check (own_month_cents >= 0),
  add column week_spent_cents bigint not null default 0,
  add column month_spent_cents bigint not null default 0,
  add column paused_until timestamptz(3);

-- What was spent before these were counted: the sales of the month, with what is held.
with spent as (
  select p.fan_id, sum(p.cents) filter (where p.created_at >= date_trunc('week', now() at time zone 'UTC') at time zone 'UTC') as week_cents,
    sum(p.cents) filter (where p.created_at >= date_trunc('month', now() at time zone 'UTC') at time zone 'UTC') as month_cents, max(p.created_at) as at
  from (
    select fan_id, gross_cents as cents, created_at from sales
      where created_at >= (date_trunc('month', now() at time zone 'UTC') - interval '7 days') at time zone 'UTC'
    union all
    select fan_id, amount_cents, created_at from ledger_holds
      where state = 'held' and created_at >= (date_trunc('month', now() at time zone 'UTC') - interval '7 days') at time zone 'UTC'
  ) p group by p.fan_id
)
update ledger_accounts a set week_spent_cents = coalesce(s.week_cents, 0), month_spent_cents = coalesce(s.month_cents, 0)
  from spent s where a.code = 'liab:fan:' || s.fan_id || ':wallet' and a.spent_day is not null;

-- Limits that are to be raised, or to end (null), from an instant on.
create table ledger_raises (
  wallet_id bigint not null references ledger_accounts,
  period text not null check (period in ('day', 'week', 'month')),
  cents bigint check (cents >= 0),
  from_at timestamptz(3) not null,
  primary key (wallet_id, period)
);

-- A break from the account: no log-in until then.
alter table users add column away_until timestamptz(3);
