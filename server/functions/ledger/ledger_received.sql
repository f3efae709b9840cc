-- What came into an account that nobody spends from, since a day and before another (-infinity and infinity: ever), in rows by tag that
-- add up to it, each with a day of it: of the days where no whole month is between, else of months and the days at both ends, or of all
-- in one; and what is not summed up yet. As many rows as there are months, however much came in. What takes a sale back is on the sale's day.
create or replace function ledger_received(p_account bigint, p_from date, p_to date)
  returns table (day date, tag text, amount_cents bigint, platform_cents bigint, items bigint) language sql stable as $$
  with ends as materialized (
    select p_from = '-infinity' and p_to = 'infinity' as is_all, exists (select from ledger_accounts where id = p_account and owner_id is null) as is_platform,
      -- The first month that begins since then, and the one in which it ends.
      (date_trunc('month', (p_from - 1)::timestamp) + interval '1 month')::date as since, date_trunc('month', p_to::timestamp)::date as until)
  select d.day, d.tag, d.amount_cents, d.platform_cents, d.items from ends e, ledger_days d
    where d.account_id = p_account and d.day >= p_from and d.day < least(p_to, e.since)
  union all select s.first, s.tag, s.amount_cents, s.platform_cents, s.items from ends e, ledger_sums s
    where not e.is_all and s.account_id = p_account and s.span = 'month' and s.first >= e.since and s.first < e.until
  union all select s.first, s.tag, s.amount_cents, s.platform_cents, s.items from ends e, ledger_sums s
    where e.is_all and s.account_id = p_account and s.span = 'all'
  union all select d.day, d.tag, d.amount_cents, d.platform_cents, d.items from ends e, ledger_days d
    where d.account_id = p_account and d.day >= greatest(e.since, e.until) and d.day < p_to
  union all select i.day, i.tag, i.amount_cents, coalesce(i.platform_cents, 0), i.items from ledger_inflows i
    where i.account_id = p_account and i.day >= p_from and i.day < p_to
  -- Sought only for the platform's own accounts: by nothing that these could be found by.
  union all select i.day, i.tag, i.platform_cents, 0, i.items from ends e, ledger_inflows i
    where e.is_platform and i.platform_account_id = p_account and i.day >= p_from and i.day < p_to
$$;
