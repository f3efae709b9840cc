create or replace function transparency_append_only() returns trigger language plpgsql as $$
begin
  raise exception '% is refused on %: the log only grows', tg_op, tg_table_name using errcode = 'insufficient_privilege';
end $$;
