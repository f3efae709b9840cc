-- Names in scripts without blanks are also found without the blank between family and given name.
create or replace function creators_set_search_text() returns trigger language plpgsql as $$
begin
  new.search_text := (
    select unaccent_lower(concat_ws(' ', u.name, case when has_unspaced_script(u.name) and u.name ~ ' ' then replace(u.name, ' ', '') end,
      u.username, new.craft, new.city, new.bio, new.category)) from users u where u.id = new.user_id
  );
  return new;
end $$;
