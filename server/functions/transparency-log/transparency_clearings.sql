-- Returns the sales that each clearing with an id from p_from to p_to cleared. Written in PL/pgSQL for the same reason
-- as transparency_lines().
create or replace function transparency_clearings(p_from uuid, p_to uuid) returns table (clearing_id uuid, sales jsonb)
language plpgsql stable rows 10000 as $$
begin
  return query select m.clearing_id, jsonb_agg(jsonb_build_object('transaction', m.transaction_id, 'account', m.account_id, 'cents', m.amount_cents)
      order by m.transaction_id, m.account_id)
    from ledger_clearings m where m.clearing_id between p_from and p_to group by m.clearing_id;
end $$;
