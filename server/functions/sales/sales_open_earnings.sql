-- Opens the earnings of a creator at the first sale. Safe for concurrent calls. Raises SD404 if the creator does not
-- exist.
create or replace function sales_open_earnings(p_creator uuid) returns void language plpgsql as $$
begin
  insert into sales_fees (creator_id, pending_account_id, signed_up_at)
    select c.user_id, ledger_account('liab:creator:' || c.user_id || ':pending'), c.created_at from creators c where c.user_id = p_creator
    on conflict (creator_id) do nothing;
  perform from sales_fees where creator_id = p_creator;
  if not found then raise exception 'no creator %', p_creator using errcode = 'SD404'; end if;
end $$;
