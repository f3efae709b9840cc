-- Rows younger than 400 days cannot be deleted, and no row can be changed.
create or replace function security_log_append_only() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' or old.at > now() - interval '400 days' then
    raise exception '% is refused on security_log: it only grows', tg_op using errcode = 'insufficient_privilege';
  end if;
  return old;
end $$;
