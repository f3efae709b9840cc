-- A fan's wallet pays a creator's pending account, and the platform its part: the fast way in for sales, in few statements.
-- It counts towards the spending of the day, the week and the month, of which what holds is the most (ledger_limits()). p_due is when
-- the creator's part clears. Answers the balance after it, with its line in the wallet's statement; null when the wallet may not
-- pay (ledger_refuse_spending() says why).
-- Only the wallet's row is locked, and first of all. The caller has read the kind's row, which permits a sale's legs by its
-- constraint, and that a wallet pays it.
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
      balance_cents = a.balance_cents - p_cents, lines = a.lines + 1, line_at = greatest(a.line_at, v_at),
      late_ms = greatest(a.late_ms, (extract(epoch from a.line_at - v_at) * 1000)::bigint), spent_day = v_day,
      spent_cents = case when a.spent_day = v_day then a.spent_cents + p_cents else p_cents end,
      week_spent_cents = case when a.spent_day >= v_week then a.week_spent_cents + p_cents else p_cents end,
      month_spent_cents = case when a.spent_day >= v_month then a.month_spent_cents + p_cents else p_cents end
    where a.code = 'liab:fan:' || p_fan || ':wallet' and a.balance_cents >= p_cents and not a.is_frozen
      and case when a.spent_day = v_day then a.spent_cents + p_cents else p_cents end <= least(coalesce(a.day_limit_cents, p_limit), a.own_day_cents)
      and (a.own_week_cents is null or case when a.spent_day >= v_week then a.week_spent_cents + p_cents else p_cents end <= a.own_week_cents)
      and (a.own_month_cents is null or case when a.spent_day >= v_month then a.month_spent_cents + p_cents else p_cents end <= a.own_month_cents)
      and (a.paused_until is null or a.paused_until <= v_at)
    -- The id is made under the lock, so that the ids of one wallet are in the order of its statement.
    returning ledger_new_id(p_at), a.id, a.lines, a.balance_cents into transaction_id, v_wallet, line, balance_cents;
  if not found then return; end if;
  transaction_id := ledger_write(transaction_id, p_kind, array[v_wallet, p_pending, p_fee_account], array[p_cents, p_fee - p_cents, -p_fee],
    v_at, p_fan, p_operation, p_hash, null, v_wallet, line, -p_cents, balance_cents,
    p_pending, p_cents - p_fee, v_day, 1, p_kind, p_fee_account, p_fee, p_due);
end $$;
