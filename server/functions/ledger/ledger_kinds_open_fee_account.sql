create or replace function ledger_kinds_open_fee_account() returns trigger language plpgsql as $$
begin
  if new.fee_account is not null then new.fee_account_id := ledger_account(new.fee_account); end if;
  return new;
end $$;
