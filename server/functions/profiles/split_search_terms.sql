-- Returns the distinct words of a text that went through unaccent_lower(). A run that is longer than a word is split
-- into overlapping pieces.
create or replace function split_search_terms(p_text text) returns text[]
  language sql immutable parallel safe strict as $$
  select array(select distinct substr(run, n, 30) as term from regexp_split_to_table(p_text, '[^[:alnum:]]+') run
    cross join generate_series(1, greatest(length(run) - 15, 1), 15) n where run <> '' order by term)
$$;
