create or replace function users_update_creator_listed() returns trigger language plpgsql as $$
begin
  update creators set is_listed = not new.is_blocked and new.email_verified_at is not null where user_id = new.id;
  return null;
end $$;
