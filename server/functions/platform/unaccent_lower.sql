-- Returns a text as searches compare it: in lower case, without accents and joiners, with one form of sigma and of
-- half-width and full-width letters. Declared immutable so that indexes may use it.
create or replace function unaccent_lower(text) returns text language sql immutable strict parallel safe
  return translate(lower(transliterate(normalize($1, NFKC))), E'ς\u200c\u200d', 'σ');
