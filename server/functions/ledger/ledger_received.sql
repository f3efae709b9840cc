-- Returns what a non-spendable account received from p_from to before p_to (-infinity and infinity: ever), as rows by
-- tag that add up to it. Whole months come from monthly sums, the days at both ends from daily sums, an unlimited range
-- from total sums, and inflows that are not summed up yet are added. A reversal counts on the day of its sale.
create or replace function ledger_received(p_account bigint, p_from date, p_to date)
  returns table (day date, tag text, amount_cents bigint, platform_cents bigint, items bigint) language sql stable as $$
  with ends as materialized (
    select p_from = '-infinity' and p_to = 'infinity' as is_all, exists (select from ledger_accounts where id = p_account and owner_id is null) as is_platform,
      -- The first month that begins on or after p_from, and the month of p_to.
      (date_trunc('month', (p_from - 1)::timestamp) + interval '1 month')::date as since, date_trunc('month', p_to::timestamp)::date as until)
  select d.day, d.tag, d.amount_cents, d.platform_cents, d.items from ends e, ledger_daily_totals d
    where d.account_id = p_account and d.day >= p_from and d.day < least(p_to, e.since)
  union all select s.first, s.tag, s.amount_cents, s.platform_cents, s.items from ends e, ledger_period_totals s
    where not e.is_all and s.account_id = p_account and s.span = 'month' and s.first >= e.since and s.first < e.until
  union all select s.first, s.tag, s.amount_cents, s.platform_cents, s.items from ends e, ledger_period_totals s
    where e.is_all and s.account_id = p_account and s.span = 'all'
  union all select d.day, d.tag, d.amount_cents, d.platform_cents, d.items from ends e, ledger_daily_totals d
    where d.account_id = p_account and d.day >= greatest(e.since, e.until) and d.day < p_to
  union all select i.day, i.tag, i.amount_cents, coalesce(i.platform_cents, 0), i.items from ledger_inflows i
    where i.account_id = p_account and i.day >= p_from and i.day < p_to
  -- Queried only for the platform's own accounts because no index supports it.
  union all select i.day, i.tag, i.platform_cents, 0, i.items from ends e, ledger_inflows i
    where e.is_platform and i.platform_account_id = p_account and i.day >= p_from and i.day < p_to
$$;
