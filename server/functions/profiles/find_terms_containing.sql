-- Returns for each typed word the words that contain it, most common first, until they have 3,000 creators. A word of
-- one or two letters is only found at the beginning, unless its script has no blanks.
create or replace function find_terms_containing(p_words text[]) returns table(typed text, words text[], holders integer)
  language sql stable as $$
  select t.typed, m.words, m.holders from unnest(p_words) t (typed) cross join lateral (
    select array_agg(x.term) as words, coalesce(sum(x.holders), 0)::int as holders from (
      select h.term, h.holders, sum(h.holders) over (order by h.holders desc, h.term rows unbounded preceding) - h.holders as before from (
        select s.term, (select count(*)::int from (select from creator_search_terms k where k.term = s.term limit 300) k) as holders from (
          select distinct p.term from (select w.term from search_term_suffixes w
            where w.suffix >= left(t.typed, 15) and w.suffix < left(t.typed, 15) || chr(1114111)
              and (length(t.typed) > 2 or has_unspaced_script(t.typed)) order by w.suffix, w.term limit 200) p
          union select b.term from list_terms_beginning(t.typed) b) s) h) x
    where x.before < 3000) m
$$;
