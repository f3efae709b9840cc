-- Whether two texts match when accents and case are put aside; immutable, so that indexes may use it.
create or replace function plain(text) returns text language sql immutable strict parallel safe
  return lower(public.unaccent('public.unaccent', $1));
