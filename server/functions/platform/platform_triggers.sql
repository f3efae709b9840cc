create or replace trigger security_log_append_only before delete or update on security_log
  for each row execute function security_log_append_only();
create or replace trigger security_log_no_truncate before truncate on security_log
  for each statement execute function security_log_no_truncate();
