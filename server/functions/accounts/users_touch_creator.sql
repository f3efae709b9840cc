-- Touches the creator row, whose trigger rebuilds the search text, after the account is renamed.
create or replace function users_touch_creator() returns trigger language plpgsql as $$
begin
  update creators set craft = craft where user_id = new.id;
  return null;
end $$;
