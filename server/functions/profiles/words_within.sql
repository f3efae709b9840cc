-- For each typed word of three letters and more, the words that it lies within, the most held first, until they have 3,000 holders; of a
-- part of a word that all of them have, those 200 that come first.
create or replace function words_within(p_words text[]) returns table(typed text, words text[], holders integer)
  language sql stable as $$
  select t.typed, m.words, m.holders from unnest(p_words) t (typed) cross join lateral (
    select array_agg(x.word) as words, coalesce(sum(x.holders), 0)::int as holders from (
      select h.word, h.holders, sum(h.holders) over (order by h.holders desc, h.word rows unbounded preceding) - h.holders as before from (
        select s.word, (select count(*)::int from (select from creator_words k where k.word = s.word limit 300) k) as holders from (
          select s.word from search_words s where s.word like '%' || left(t.typed, 15) || '%' limit 200) s) h) x
    where x.before < 3000) m
  where length(t.typed) > 2
$$;
