-- Whether a text has letters of a script that does not separate terms by spaces: Han, kana, Hangul, Thai, Lao, Khmer,
-- Burmese or Tibetan. There, every letter may begin a term.
create or replace function has_unspaced_script(text) returns boolean language sql immutable strict parallel safe
  return $1 ~ '[\u0e01-\u0e4e\u0e81-\u0ece\u0f40-\u0fbc\u1000-\u1049\u1050-\u109f\u1100-\u11ff\u1780-\u17d3\u3005-\u3007\u3041-\u30fa\u30fc-\u30ff\u3105-\u318e\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97c\uac00-\ud7fb\uf900-\ufaff\U00020000-\U000323af]';
