create or replace function users_set_search_name() returns trigger language plpgsql as $$
begin
  new.search_name := unaccent_lower_spaced(new.name);
  return new;
end $$;
