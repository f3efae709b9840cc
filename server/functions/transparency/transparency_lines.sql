-- The statement lines of the transactions with ids from p_from to p_to, in PL/pgSQL so that it is planned as many rows: of what is
-- newer than its statistics PostgreSQL expects one row, and joins thousands with thousands one by one.
create or replace function transparency_lines(p_from uuid, p_to uuid) returns table (transaction_id uuid, lines jsonb)
language plpgsql stable rows 10000 as $$
begin
  return query select n.transaction_id, jsonb_agg(jsonb_build_object('account', n.account_id, 'line', n.line, 'cents', n.amount_cents, 'kind', n.kind)
      order by n.account_id, n.line)
    from ledger_lines n where n.transaction_id between p_from and p_to group by n.transaction_id;
end $$;
