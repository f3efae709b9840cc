-- Returns why a wallet may not pay an amount, as an SQLSTATE of the ledger with a detail: SD403 blocked (the debt in
-- cents), SD413 a spending break (when it ends), SD410 a spending limit (its period, and the limit in cents), SD402
-- insufficient funds. The limit goes first, because adding funds does not help where it refuses. Null when it may pay. Locks
-- the wallet and applies due increases of its limits.
create or replace function ledger_spending_refusal(p_fan uuid, p_cents bigint, p_limit bigint, p_at timestamptz, out code text, out detail text)
language plpgsql as $$
declare
  v_at constant timestamptz := date_trunc('milliseconds', coalesce(p_at, now()));
  v_wallet ledger_accounts;
begin
  select * into v_wallet from ledger_accounts a where a.code = 'liab:fan:' || p_fan || ':wallet' for update;
  perform ledger_apply_limit_increases(v_wallet.id, v_at);
  if v_wallet.is_frozen then
    code := 'SD403';
    detail := ledger_balance('asset:fan:' || p_fan || ':receivable');
  elsif v_wallet.paused_until > v_at then
    code := 'SD413';
    detail := to_char(v_wallet.paused_until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"');
  else
    select 'SD410', l.period || ' ' || l.limit_cents into code, detail
      from ledger_limits(p_fan, p_limit, v_at) l where l.spent_cents + p_cents > l.limit_cents order by l.limit_cents - l.spent_cents limit 1;
    if code is null and (v_wallet.id is null or v_wallet.balance_cents < p_cents) then
      code := 'SD402';
    end if;
  end if;
end $$;
