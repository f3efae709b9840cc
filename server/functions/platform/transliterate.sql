-- Returns a text in ASCII as far as its letters have a usual spelling there, such as L for Ł, TH for Þ and AE for Æ. It
-- is the table of search and of exports to systems with few characters. Adds to unaccent what Azerbaijani and African
-- languages need.
create or replace function transliterate(text) returns text language sql immutable strict parallel safe
  return translate(public.unaccent('public.unaccent', $1), 'ƏəƎǝƆɔƱʊƲʋƔɣ', 'EeEeOoUuVvGg');
