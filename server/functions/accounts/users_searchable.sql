-- A creator's text for the search follows the names of the account.
create or replace function users_searchable() returns trigger language plpgsql as $$
begin
  update creators set craft = craft where user_id = new.id;
  return null;
end $$;
