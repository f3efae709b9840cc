-- Returns for each typed word up to five words that differ by one typo, the most common first, or null. Reads at most
-- 200 and takes those of the most followed creators.
create or replace function correct_search_terms(p_words text[]) returns table(typed text, terms text[])
  language sql stable as $$
  select t.typed, m.terms from unnest(p_words) t (typed) cross join lateral (
    select array_agg(b.term order by b.holders desc, b.term) as terms from (
      select s.term, (select count(*) from (select from creator_search_terms h where h.term = s.term limit 300) h) as holders from (
        select c.term, c.best_rank from search_terms c where c.deletion_variants && term_deletion_variants(t.typed) and c.term <> t.typed limit 200) s
      order by s.best_rank desc, s.term limit 5) b) m
$$;
