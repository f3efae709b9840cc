create or replace function creators_set_search_text() returns trigger language plpgsql as $$
begin
  new.search_text := (
    select unaccent_lower(concat_ws(' ', u.name, u.username, new.craft, new.city, new.bio, new.category)) from users u where u.id = new.user_id
  );
  return new;
end $$;
