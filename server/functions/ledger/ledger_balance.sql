-- Returns the exact balance in cents on the normal side, 0 for an account that does not exist yet. All parts come from
-- one snapshot.
create or replace function ledger_balance(p_code text) returns bigint language sql stable as $$
  select coalesce((
    select a.balance_cents + case when a.spendable then 0 else
      coalesce((select sum(i.amount_cents) from ledger_inflows i where i.account_id = a.id), 0)::bigint end
      + case when a.owner_id is null then
      coalesce((select sum(i.platform_cents) from ledger_inflows i where i.platform_account_id = a.id), 0)::bigint else 0 end
    from ledger_accounts a where a.code = p_code), 0)
$$;
