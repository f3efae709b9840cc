-- Maintains the search words of each creator with their rank, and the list of all words with their deletion variants
-- and suffixes.
create or replace function creators_words() returns trigger
  language plpgsql as $$
declare
  v_words text[] := '{}';
  v_gone text[];
begin
  if tg_op <> 'DELETE' and new.is_listed then
    v_words := words_of(new.search_text);
    with made as (
      insert into search_words (word, slips) select w, slips_of(w) from unnest(v_words) w order by w on conflict do nothing returning word)
      insert into search_word_parts (part, word) select p, m.word from made m, unnest(parts_of(m.word)) p order by p, m.word
        on conflict do nothing;
    insert into creator_words as k (creator_id, word, standing)
      select new.user_id, w, standing_of(new.follower_count) from unnest(v_words) w
      on conflict (creator_id, word) do update set standing = excluded.standing where k.standing <> excluded.standing;
  end if;
  if tg_op = 'INSERT' then return null; end if;
  with gone as (delete from creator_words where creator_id = old.user_id and word <> all (v_words) returning word)
    select array_agg(word) into v_gone from gone;
  with gone as (
    delete from search_words s where s.word = any (v_gone) and not exists (select from creator_words k where k.word = s.word)
      returning word)
    delete from search_word_parts p using (select g.word, unnest(parts_of(g.word)) as part from gone g) g
      where p.part = g.part and p.word = g.word;
  return null;
end $$;
