-- Writes the given parts of one transaction and returns its id: the transaction (when its legs are given), a statement
-- line and an inflow (when their accounts are given). All inserts into these three tables go through this function. The
-- callers have changed the spendable balances under their locks and checked the legs. When two calls carry the same
-- operation at the same time, the unique index refuses the second, which must be retried.
create or replace function ledger_write(
  p_id uuid, p_kind text,
  p_accounts bigint[] default null, p_amounts bigint[] default null, p_at timestamptz default null,
  p_actor uuid default null, p_operation uuid default null, p_hash bytea default null, p_metadata jsonb default null,
  p_line_account bigint default null, p_line bigint default null, p_line_cents bigint default null, p_balance bigint default null,
  p_inflow_account bigint default null, p_inflow_cents bigint default null, p_day date default null, p_items int default null, p_tag text default null,
  p_platform_account bigint default null, p_platform_cents bigint default null, p_due timestamptz default null
) returns uuid language plpgsql as $$
begin
  with line as (
    insert into ledger_lines (account_id, line, transaction_id, amount_cents, balance_cents, kind)
      select p_line_account, p_line, p_id, p_line_cents, p_balance, p_kind where p_line_account is not null
  ), inflow as (
    insert into ledger_inflows (account_id, amount_cents, platform_account_id, platform_cents, due_at, transaction_id, day, items, tag)
      select p_inflow_account, p_inflow_cents, p_platform_account, p_platform_cents, p_due, case when p_due is not null then p_id end,
        p_day, p_items, p_tag where p_inflow_account is not null
  )
  insert into ledger_transactions (id, occurred_at, kind, actor_id, operation_id, request_hash, account_ids, amounts, metadata)
    select p_id, p_at, p_kind, p_actor, p_operation, p_hash, p_accounts, p_amounts, p_metadata where p_accounts is not null;
  return p_id;
end $$;
