create or replace trigger creators_set_listed before insert on creators
  for each row execute function creators_set_listed();
create or replace trigger creators_set_search_text before insert or update of craft, city, bio, category on creators
  for each row execute function creators_set_search_text();
create or replace trigger sessions_notify_ended after delete on sessions referencing old table as ended
  for each statement execute function sessions_notify_ended();
create or replace trigger users_notify_blocked after update of is_blocked on users
  for each row when (old.is_blocked is distinct from new.is_blocked)
  execute function users_notify_ended();
create or replace trigger users_notify_restricted after update of restrictions on users
  for each row when (old.restrictions is distinct from new.restrictions)
  execute function users_notify_ended();
create or replace trigger users_set_search_name before insert or update of name on users
  for each row execute function users_set_search_name();
create or replace trigger users_touch_creator after update of name, username on users
  for each row when (new.type = 'creator')
  execute function users_touch_creator();
create or replace trigger users_update_creator_listed after update of is_blocked, email_verified_at on users
  for each row when (new.type = 'creator')
  execute function users_update_creator_listed();
