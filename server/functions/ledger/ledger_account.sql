-- Returns the id of the account with this code and creates it when missing, also concurrently. The valid codes, and
-- which accounts are spendable, are defined here.
create or replace function ledger_account(p_code text) returns bigint language plpgsql as $$
declare
  v_id bigint;
  v_uuid constant text := '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
  v_spendable boolean;
begin
  select id into v_id from ledger_accounts where code = p_code;
  if found then return v_id; end if;
  v_spendable := p_code ~ ('^(liab:fan:' || v_uuid || ':(wallet|call_hold)|liab:(creator|affiliate):' || v_uuid
    || ':(available|payout_reserved)|asset:(creator|fan|affiliate):' || v_uuid || ':receivable)$');
  if not v_spendable and p_code !~ ('^(liab:(creator|affiliate):' || v_uuid || ':pending|liab:payout_clearing:(ach|paypal|crypto)'
    || '|asset:processor:[a-z0-9_]+:clearing|asset:bank:operating|rev:(deposit_fee|payout_fee|platform_fee:[a-z_]+)'
    || '|exp:(processor_fee|chargeback_loss|chargeback_fee|affiliate))$') then
    raise exception 'no account has the code %', p_code using errcode = 'SD404';
  end if;
  insert into ledger_accounts (code, kind, owner_id, spendable)
    values (p_code, case split_part(p_code, ':', 1) when 'asset' then 'asset' when 'liab' then 'liability' when 'rev' then 'revenue' else 'expense' end,
      substring(p_code from v_uuid)::uuid, v_spendable)
    on conflict (code) do nothing returning id into v_id;
  if v_id is null then select id into v_id from ledger_accounts where code = p_code; end if;
  return v_id;
end $$;
