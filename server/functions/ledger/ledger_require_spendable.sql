-- Raises the reason why a wallet may not pay an amount (see ledger_spending_refusal()). Returns with the wallet locked
-- when it may pay.
create or replace function ledger_require_spendable(p_fan uuid, p_cents bigint, p_limit bigint, p_at timestamptz) returns void language plpgsql as $$
declare
  v_refusal record;
begin
  v_refusal := ledger_spending_refusal(p_fan, p_cents, p_limit, p_at);
  if v_refusal.code is not null then
    raise exception 'the wallet may not pay' using errcode = v_refusal.code, detail = coalesce(v_refusal.detail, '');
  end if;
end $$;
