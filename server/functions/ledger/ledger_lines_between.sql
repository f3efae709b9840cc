-- Returns the statement lines of a spendable account from p_from to before p_to. Lines are in chronological order
-- except for lines written at most `max_late_ms` late, so the search range is extended by that much on both sides.
create or replace function ledger_lines_between(p_account bigint, p_from timestamptz, p_to timestamptz) returns setof ledger_lines language sql stable as $$
  select l.* from (select ledger_line_before(id, p_from - max_late_ms * interval '1 ms') as first, ledger_line_before(id, p_to + max_late_ms * interval '1 ms') as last from ledger_accounts where id = p_account offset 0) e
    join ledger_lines l on l.account_id = p_account and l.line > e.first and l.line <= e.last
    join ledger_transactions t on t.id = l.transaction_id where t.occurred_at >= p_from and t.occurred_at < p_to
$$;
