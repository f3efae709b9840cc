-- Returns the balance of a spendable account before an instant: the balance after a line that is certainly earlier,
-- plus later lines before the instant (see ledger_lines_between()).
create or replace function ledger_balance_before(p_account bigint, p_at timestamptz) returns bigint language sql stable as $$
  select coalesce((
    select coalesce((select balance_cents from ledger_lines where account_id = p_account and line = e.first), 0)
      + coalesce((select sum(l.amount_cents) from ledger_lines l join ledger_transactions t on t.id = l.transaction_id
        where l.account_id = p_account and l.line > e.first and l.line <= e.last and t.occurred_at < p_at), 0)::bigint
    from (select ledger_line_before(id, p_at - max_late_ms * interval '1 ms') as first, ledger_line_before(id, p_at + max_late_ms * interval '1 ms') as last
      from ledger_accounts where id = p_account offset 0) e), 0)
$$;
