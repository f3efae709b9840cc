-- Returns the suffixes of a word with three or more letters, each cut to 15 letters, for searches within words.
create or replace function term_suffixes(p_word text) returns text[]
  language sql immutable parallel safe strict as $$
  select array(select distinct substr(p_word, n, 15) from generate_series(1, length(p_word) - 2) n)
$$;
