-- Applies the due increases of a wallet's spending limits. The caller holds the lock of the wallet.
create or replace function ledger_apply_limit_increases(p_wallet bigint, p_at timestamptz) returns void language plpgsql as $$
begin
  with due as (delete from ledger_limit_increases r where r.wallet_id = p_wallet and r.effective_at <= p_at returning r.period, r.cents),
    sums as (select count(*) as known, bool_or(period = 'day') as of_day, max(cents) filter (where period = 'day') as day,
      bool_or(period = 'week') as of_week, max(cents) filter (where period = 'week') as week,
      bool_or(period = 'month') as of_month, max(cents) filter (where period = 'month') as month from due)
  update ledger_accounts a set
      own_day_limit_cents = case when s.of_day then s.day else a.own_day_limit_cents end,
      own_week_limit_cents = case when s.of_week then s.week else a.own_week_limit_cents end,
      own_month_limit_cents = case when s.of_month then s.month else a.own_month_limit_cents end
    from sums s where a.id = p_wallet and s.known > 0;
end $$;
