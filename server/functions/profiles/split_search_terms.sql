-- Returns the distinct words of a text that went through unaccent_lower(). A run that is longer than a word is split
-- into overlapping pieces. The ranges are marks of letters, such as Thai tones, that PostgreSQL does not count as letters.
create or replace function split_search_terms(p_text text) returns text[]
  language sql immutable parallel safe strict as $$
  select array(select distinct substr(run, n, 30) as term from regexp_split_to_table(p_text, '[^[:alnum:]\u0300-\u036f\u0483-\u0489\u0591-\u05af\u0658\u06df-\u06e0\u06ea-\u06ec\u0740-\u074a\u07eb-\u07f3\u0859-\u085b\u093c\u094d\u0951-\u0954\u09bc\u09cd\u0a3c\u0a4d\u0abc\u0acd\u0b3c\u0b4d\u0b55\u0bcd\u0c3c\u0c4d\u0cbc\u0ccd\u0d3b-\u0d3c\u0d4d\u0dca\u0e47-\u0e4c\u0e4e\u0eba\u0ec8-\u0ecc\u0ece\u0f18-\u0f19\u0f35\u0f37\u0f39\u0f3e-\u0f3f\u0f84\u0f86-\u0f87\u1037\u1039-\u103a\u135d-\u135f\u17c9-\u17d3\u17dd\u180b-\u180d\u302a-\u302f\u3099-\u309a\ufe00-\ufe0f]+') run
    cross join generate_series(1, greatest(length(run) - 15, 1), 15) n where run <> '' order by term)
$$;
