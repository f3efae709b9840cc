-- Why a wallet may not pay so much: raises SD402 funds, SD403 blocked (its detail is what is owed, in cents), or SD410 daily
-- limit (its detail is the limit in cents); nothing when it may after all, and then it is locked.
create or replace function ledger_refuse_spending(p_fan uuid, p_cents bigint, p_limit bigint, p_at timestamptz) returns void language plpgsql as $$
declare
  v_account ledger_accounts;
begin
  select * into v_account from ledger_accounts where code = 'liab:fan:' || p_fan || ':wallet' for update;
  if v_account.is_frozen then
    raise exception 'spending is blocked' using errcode = 'SD403', detail = ledger_balance('asset:fan:' || p_fan || ':receivable')::text;
  end if;
  if v_account.id is null or v_account.balance_cents < p_cents then raise exception 'not enough in the wallet' using errcode = 'SD402'; end if;
  if (case when v_account.spent_day = (coalesce(p_at, now()) at time zone 'UTC')::date then v_account.spent_cents else 0 end) + p_cents
    > coalesce(v_account.day_limit_cents, p_limit) then
    raise exception 'over the daily limit' using errcode = 'SD410', detail = coalesce(v_account.day_limit_cents, p_limit)::text;
  end if;
end $$;
