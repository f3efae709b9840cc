create or replace function words_mended(p_words text[]) returns table(typed text, word text)
  language sql stable as $$
  select t.typed, m.word from unnest(p_words) t (typed) left join lateral (
    select s.word from (select s.word from search_words s where s.slips && slips_of(t.typed) limit 20) s
    order by (select count(*) from (select from creator_words h where h.word = s.word limit 300) h) desc, s.word limit 1) m on true
$$;
