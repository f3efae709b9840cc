create or replace function correct_search_terms(p_words text[]) returns table(typed text, term text)
  language sql stable as $$
  select t.typed, m.term from unnest(p_words) t (typed) left join lateral (
    select s.term from (select s.term from search_terms s where s.deletion_variants && term_deletion_variants(t.typed) limit 20) s
    order by (select count(*) from (select from creator_search_terms h where h.term = s.term limit 300) h) desc, s.term limit 1) m on true
$$;
