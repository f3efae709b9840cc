create or replace function creators_set_listed() returns trigger language plpgsql as $$
begin
  new.is_listed := coalesce((select not is_blocked and email_verified_at is not null from users where id = new.user_id), false);
  return new;
end $$;
