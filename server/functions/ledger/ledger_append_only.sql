create or replace function ledger_append_only() returns trigger language plpgsql as $$
begin
  raise exception '% is refused on %: corrections are reversing transactions', tg_op, tg_table_name using errcode = 'insufficient_privilege';
end $$;
