-- Returns for each typed word itself if a creator has it, otherwise words that begin with it or null, whether it is
-- exact, and the number of creators, counted up to 300 for each word.
create or replace function resolve_search_terms(p_words text[]) returns table(typed text, terms text[], is_exact boolean, holders integer)
  language sql stable as $$
  select t.typed, m.terms, e.is_exact, m.holders from unnest(p_words) t (typed)
    cross join lateral (select exists (select from creator_search_terms h where h.term = t.typed) as is_exact) e
    cross join lateral (
      select array_agg(x.term) as terms,
          coalesce(sum((select count(*) from (select from creator_search_terms h where h.term = x.term limit 300) h)), 0)::int as holders from (
        select t.typed as term where e.is_exact
        union all
        select b.term from list_terms_beginning(t.typed) b where not e.is_exact) x) m
$$;
