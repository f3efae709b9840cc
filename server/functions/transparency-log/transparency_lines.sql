-- Returns the statement lines of the transactions with ids from p_from to p_to. In PL/pgSQL with a row estimate,
-- because PostgreSQL expects one row for new data and would choose a slow nested loop.
create or replace function transparency_lines(p_from uuid, p_to uuid) returns table (transaction_id uuid, lines jsonb)
language plpgsql stable rows 10000 as $$
begin
  return query select n.transaction_id, jsonb_agg(jsonb_build_object('account', n.account_id, 'line', n.line, 'cents', n.amount_cents, 'kind', n.kind)
      order by n.account_id, n.line)
    from ledger_lines n where n.transaction_id between p_from and p_to group by n.transaction_id;
end $$;
