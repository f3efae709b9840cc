-- Returns the last statement line of an account before an instant, 0 when there is none. Uses a binary search because
-- lines are in chronological order.
create or replace function ledger_line_before(p_account bigint, p_at timestamptz) returns bigint language plpgsql stable as $$
declare
  v_low bigint := 0;
  v_high bigint;
  v_middle bigint;
begin
  select lines into v_high from ledger_accounts where id = p_account;
  while v_low < v_high loop
    v_middle := (v_low + v_high + 1) / 2;
    if (select t.occurred_at from ledger_lines l join ledger_transactions t on t.id = l.transaction_id
        where l.account_id = p_account and l.line = v_middle) < p_at then
      v_low := v_middle;
    else
      v_high := v_middle - 1;
    end if;
  end loop;
  return v_low;
end $$;
