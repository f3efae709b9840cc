-- Where a word can be met within: each of its ends of three letters and more, as far as a part of a word is looked at.
create or replace function parts_of(p_word text) returns text[]
  language sql immutable parallel safe strict as $$
  select array(select distinct substr(p_word, n, 15) from generate_series(1, length(p_word) - 2) n)
$$;
