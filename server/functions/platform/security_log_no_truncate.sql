create or replace function security_log_no_truncate() returns trigger language plpgsql as $$
begin
  raise exception 'TRUNCATE is refused on security_log: it only grows' using errcode = 'insufficient_privilege';
end $$;
