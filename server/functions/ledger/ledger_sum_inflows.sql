-- Adds at most p_limit inflows, of one account if named, to the sums and returns their number. One call runs at a time,
-- and p_wait decides whether a second one waits or returns 0.
create or replace function ledger_sum_inflows(p_limit int default 20000, p_account text default null, p_wait boolean default false) returns int language plpgsql as $$
declare
  v_count int;
begin
  if p_wait then
    perform pg_advisory_xact_lock(hashtext('ledger_sum_inflows'));
  elsif not pg_try_advisory_xact_lock(hashtext('ledger_sum_inflows')) then
    return 0;
  end if;
  with taken as (
    delete from ledger_inflows where ctid = any (array(
      select ctid from ledger_inflows where p_account is null or account_id = (select id from ledger_accounts where code = p_account) limit p_limit))
    returning *
  ), parts as (
    select account_id, day, tag, amount_cents, items, coalesce(platform_cents, 0) as platform_cents from taken
    union all select platform_account_id, day, tag, platform_cents, items, 0 from taken where platform_account_id is not null
  ), days as (
    insert into ledger_daily_totals as d (account_id, day, tag, amount_cents, items, platform_cents)
      select account_id, day, tag, sum(amount_cents), sum(items), sum(platform_cents) from parts group by account_id, day, tag
      on conflict (account_id, day, tag) do update set amount_cents = d.amount_cents + excluded.amount_cents,
        items = d.items + excluded.items, platform_cents = d.platform_cents + excluded.platform_cents
  ), sums as (
    insert into ledger_period_totals as m (account_id, span, first, tag, amount_cents, items, platform_cents)
      select account_id, span, first, tag, sum(amount_cents), sum(items), sum(platform_cents)
      from parts cross join lateral (values ('month', date_trunc('month', day::timestamp)::date), ('all', '-infinity'::date)) s (span, first)
      group by account_id, span, first, tag
      on conflict (account_id, span, first, tag) do update set amount_cents = m.amount_cents + excluded.amount_cents,
        items = m.items + excluded.items, platform_cents = m.platform_cents + excluded.platform_cents
  ), balances as (
    update ledger_accounts a set balance_cents = a.balance_cents + s.amount_cents
      from (select account_id, sum(amount_cents) as amount_cents from parts group by account_id) s
      where a.id = s.account_id
  ), waiting as (
    insert into ledger_pending_clearings (due_at, transaction_id, account_id, amount_cents)
      select due_at, transaction_id, account_id, amount_cents from taken where due_at is not null and amount_cents > 0
  )
  select count(*) into v_count from taken;
  return v_count;
end $$;
