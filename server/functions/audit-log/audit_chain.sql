-- Appends a row to the hash chain. An advisory lock admits one transaction at a time, so rows are in the order of their
-- commits.
create or replace function audit_chain() returns trigger language plpgsql as $$
declare
  v_last record;
begin
  perform pg_advisory_xact_lock(hashtext('audit_log'));
  select position, hash into v_last from audit_log order by position desc limit 1;
  new.position := coalesce(v_last.position, 0) + 1;
  new.previous_hash := coalesce(v_last.hash, sha256(''));
  new.hash := audit_hash(new);
  return new;
end $$;
