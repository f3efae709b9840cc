-- Returns a text as searches compare it: in lower case, without accents, joiners and the vowel points and cantillation
-- marks of Hebrew, Arabic and Syriac, with one form of sigma and of half-width and full-width letters. Declared immutable
-- so that indexes may use it.
create or replace function unaccent_lower(text) returns text language sql immutable strict parallel safe
  return translate(lower(transliterate(regexp_replace(normalize($1, NFKC),
    '[\u0591-\u05bd\u05bf\u05c1-\u05c2\u05c4-\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7-\u06e8\u06ea-\u06ed\u0730-\u074a]+', '', 'g'))), E'ς\u200c\u200d', 'σ');
