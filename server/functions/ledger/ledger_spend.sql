-- Pays a creator's pending account and the platform's fee from a fan's wallet, in few statements. The amount counts
-- towards the daily, weekly and monthly spending limits. p_due is when the creator's part clears. Returns the new
-- balance with its statement line, or null when the wallet may not pay (ledger_require_spendable() raises the reason).
-- Locks only the row of the wallet, before anything else. The caller has checked that wallets pay this kind.
create or replace function ledger_spend(
  p_kind text, p_fan uuid, p_cents bigint, p_limit bigint, p_pending bigint, p_fee_account bigint, p_fee bigint,
  p_operation uuid, p_hash bytea, p_at timestamptz, p_due timestamptz, out transaction_id uuid, out balance_cents bigint, out line bigint
) language plpgsql as $$
declare
  v_at constant timestamptz := date_trunc('milliseconds', coalesce(p_at, now()));
  v_day constant date := (v_at at time zone 'UTC')::date;
  v_week constant date := date_trunc('week', v_day)::date;
  v_month constant date := date_trunc('month', v_day)::date;
  v_wallet bigint;
begin
  update ledger_accounts a set
      balance_cents = a.balance_cents - p_cents, lines = a.lines + 1, last_line_at = greatest(a.last_line_at, v_at),
      max_late_ms = greatest(a.max_late_ms, (extract(epoch from a.last_line_at - v_at) * 1000)::bigint), spent_day = v_day,
      spent_cents = case when a.spent_day = v_day then a.spent_cents + p_cents else p_cents end,
      week_spent_cents = case when a.spent_day >= v_week then a.week_spent_cents + p_cents else p_cents end,
      month_spent_cents = case when a.spent_day >= v_month then a.month_spent_cents + p_cents else p_cents end
    where a.code = 'liab:fan:' || p_fan || ':wallet' and a.balance_cents >= p_cents and not a.is_frozen
      and case when a.spent_day = v_day then a.spent_cents + p_cents else p_cents end <= least(coalesce(a.day_limit_cents, p_limit), a.own_day_limit_cents)
      and (a.own_week_limit_cents is null or case when a.spent_day >= v_week then a.week_spent_cents + p_cents else p_cents end <= a.own_week_limit_cents)
      and (a.own_month_limit_cents is null or case when a.spent_day >= v_month then a.month_spent_cents + p_cents else p_cents end <= a.own_month_limit_cents)
      and (a.paused_until is null or a.paused_until <= v_at)
    -- The id is created under the lock, so that the ids of one wallet are in the order of its statement.
    returning ledger_new_id(p_at), a.id, a.lines, a.balance_cents into transaction_id, v_wallet, line, balance_cents;
  if not found then return; end if;
  transaction_id := ledger_write(transaction_id, p_kind, array[v_wallet, p_pending, p_fee_account], array[p_cents, p_fee - p_cents, -p_fee],
    v_at, p_fan, p_operation, p_hash, null, v_wallet, line, -p_cents, balance_cents,
    p_pending, p_cents - p_fee, v_day, 1, p_kind, p_fee_account, p_fee, p_due);
end $$;
