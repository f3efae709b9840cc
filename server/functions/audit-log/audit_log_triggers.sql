create or replace trigger audit_append_only before delete or update on audit_log
  for each row execute function audit_append_only();
create or replace trigger audit_no_truncate before truncate on audit_log
  for each statement execute function audit_append_only();
create or replace trigger audit_chain before insert on audit_log
  for each row execute function audit_chain();
