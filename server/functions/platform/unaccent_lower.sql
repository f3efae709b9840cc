-- Returns a text in lower case without accents. Declared immutable so that indexes may use it.
create or replace function unaccent_lower(text) returns text language sql immutable strict parallel safe
  return lower(public.unaccent('public.unaccent', $1));
