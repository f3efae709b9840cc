create or replace function audit_append_only() returns trigger language plpgsql as $$
begin
  raise exception '% is refused on audit_log: it only grows', tg_op using errcode = 'insufficient_privilege';
end $$;
