-- Returns the spending limits and the amounts spent in the UTC day, week and month of an instant, one row each. p_limit
-- is the default daily limit, which an operator may override per wallet. limit_cents is the limit in force (null:
-- none): the lower of the operator's most_cents and the fan's own_cents. Includes increases that are due by then.
create or replace function ledger_limits(p_fan uuid, p_limit bigint, p_at timestamptz)
  returns table (period text, limit_cents bigint, most_cents bigint, own_cents bigint, spent_cents bigint) language sql stable as $$
  select p.period, least(p.most_cents, o.cents), p.most_cents, o.cents, case when w.spent_day >= p.begins then p.spent_cents else 0 end
    from (select (p_at at time zone 'UTC')::date as today) d
    left join ledger_accounts w on w.code = 'liab:fan:' || p_fan || ':wallet'
    cross join lateral (values
      ('day', 1, d.today, coalesce(w.day_limit_cents, p_limit), w.own_day_limit_cents, w.spent_cents),
      ('week', 2, date_trunc('week', d.today)::date, null::bigint, w.own_week_limit_cents, w.week_spent_cents),
      ('month', 3, date_trunc('month', d.today)::date, null::bigint, w.own_month_limit_cents, w.month_spent_cents)
    ) p (period, place, begins, most_cents, own_cents, spent_cents)
    left join ledger_limit_increases r on r.wallet_id = w.id and r.period = p.period and r.effective_at <= p_at
    cross join lateral (select case when r.wallet_id is null then p.own_cents else r.cents end as cents) o
    order by p.place
$$;
