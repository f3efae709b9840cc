-- Returns the suffixes of a word, each cut to 15 letters, for searches within words: of three or more letters, or of any
-- length where a letter of a script without blanks begins them.
create or replace function term_suffixes(p_word text) returns text[]
  language sql immutable parallel safe strict as $$
  select array(select distinct substr(p_word, n, 15) from generate_series(1, length(p_word)) n
    where n < length(p_word) - 1 or has_unspaced_script(substr(p_word, n, 1)))
$$;
