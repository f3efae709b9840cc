-- Returns for each typed word of three or more letters the words that contain it, most common first, until they have
-- 3,000 creators.
create or replace function words_within(p_words text[]) returns table(typed text, words text[], holders integer)
  language sql stable as $$
  select t.typed, m.words, m.holders from unnest(p_words) t (typed) cross join lateral (
    select array_agg(x.word) as words, coalesce(sum(x.holders), 0)::int as holders from (
      select h.word, h.holders, sum(h.holders) over (order by h.holders desc, h.word rows unbounded preceding) - h.holders as before from (
        select s.word, (select count(*)::int from (select from creator_words k where k.word = s.word limit 300) k) as holders from (
          select distinct p.word from (select w.word from search_word_parts w where w.part >= left(t.typed, 15)
            and w.part < left(t.typed, 15) || chr(1114111) order by w.part, w.word limit 200) p) s) h) x
    where x.before < 3000) m
  where length(t.typed) > 2
$$;
