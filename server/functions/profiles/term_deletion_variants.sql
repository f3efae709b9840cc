-- Returns a word of 3 to 20 letters and its variants without one letter, otherwise nothing. Two words that share a
-- variant differ by one typo (Garbe, SymSpell).
create or replace function term_deletion_variants(p_word text) returns text[]
  language sql immutable parallel safe strict as $$
  select case when length(p_word) between 3 and 20
    then array(select distinct overlay(p_word placing '' from n for 1) from generate_series(1, length(p_word)) n) || p_word else '{}' end
$$;
