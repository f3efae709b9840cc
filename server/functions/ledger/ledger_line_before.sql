-- The last line before an instant in the statement of a spendable account, and the balance after it; 0 and 0 when there is none.
-- Lines have no time of their own: their transactions' are compared, at as many lines as their number has binary digits. The
-- answer for an instant that is over does not change, so statements of following periods leave no line out and have none twice.
create or replace function ledger_line_before(p_code text, p_at timestamptz, out line bigint, out balance_cents bigint)
  language plpgsql stable as $$
#variable_conflict use_column
declare
  v_account ledger_accounts;
  v_step bigint := 1;
  v_line bigint := 0;
begin
  select * into v_account from ledger_accounts where code = p_code;
  while v_step <= v_account.lines loop v_step := v_step * 2; end loop;
  while v_step > 1 loop
    v_step := v_step / 2;
    if exists (select from ledger_lines l join ledger_transactions t on t.id = l.transaction_id
      where l.account_id = v_account.id and l.line = v_line + v_step and t.occurred_at < p_at) then v_line := v_line + v_step; end if;
  end loop;
  select l.line, l.balance_cents into line, balance_cents from ledger_lines l where l.account_id = v_account.id and l.line = v_line;
  if not found then line := 0; balance_cents := 0; end if;
end $$;
