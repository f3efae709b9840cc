-- A word and what is left of it without one letter: two words that share one differ by a slip (Garbe, SymSpell). Others have none.
create or replace function slips_of(p_word text) returns text[]
  language sql immutable parallel safe strict as $$
  select case when length(p_word) between 4 and 20
    then array(select distinct overlay(p_word placing '' from n for 1) from generate_series(1, length(p_word)) n) || p_word else '{}' end
$$;
