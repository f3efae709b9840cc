-- Returns for each typed word itself if a creator has it, otherwise the most common word with this prefix or null, and
-- its number of creators, counted up to 300.
create or replace function resolve_search_terms(p_words text[]) returns table(typed text, term text, holders integer)
  language sql stable as $$
  select t.typed, m.term, m.holders from unnest(p_words) t (typed) left join lateral (
    select x.term, (select count(*)::int from (select from creator_search_terms h where h.term = x.term limit 300) h) as holders from (
      (select t.typed as term where exists (select from creator_search_terms h where h.term = t.typed))
      union all
      (select s.term from search_terms s where s.term > t.typed and s.term < t.typed || chr(1114111)
        and not exists (select from creator_search_terms h where h.term = t.typed) order by s.term limit 20)) x
    order by holders desc, term limit 1) m on true
$$;
