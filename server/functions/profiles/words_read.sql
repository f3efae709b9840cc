-- Returns for each typed word itself if a creator has it, otherwise the most common word with this prefix or null, and
-- its number of creators, counted up to 300.
create or replace function words_read(p_words text[]) returns table(typed text, word text, holders integer)
  language sql stable as $$
  select t.typed, m.word, m.holders from unnest(p_words) t (typed) left join lateral (
    select x.word, (select count(*)::int from (select from creator_words h where h.word = x.word limit 300) h) as holders from (
      (select t.typed as word where exists (select from creator_words h where h.word = t.typed))
      union all
      (select s.word from search_words s where s.word > t.typed and s.word < t.typed || chr(1114111)
        and not exists (select from creator_words h where h.word = t.typed) order by s.word limit 20)) x
    order by holders desc, word limit 1) m on true
$$;
