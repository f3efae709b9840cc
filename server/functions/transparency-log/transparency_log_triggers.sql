create or replace trigger transparency_leaves_append_only before delete or update or truncate on transparency_leaves
  for each statement execute function transparency_append_only();
create or replace trigger transparency_checkpoints_append_only before truncate on transparency_checkpoints
  for each statement execute function transparency_append_only();
create or replace trigger transparency_checkpoints_check_pruning before delete on transparency_checkpoints
  for each row execute function transparency_check_pruning();
create or replace trigger transparency_checkpoints_require_growth before insert on transparency_checkpoints
  for each row execute function transparency_require_growth();
