-- Trigger of creators: keeps the words by which each is found, with their standing, and the list of all words there are, with their slips.
create or replace function creators_words() returns trigger
  language plpgsql as $$
declare
  v_words text[] := '{}';
  v_gone text[];
begin
  if tg_op <> 'DELETE' and new.is_listed then
    v_words := words_of(new.search_text);
    insert into search_words (word, slips) select w, slips_of(w) from unnest(v_words) w order by w on conflict do nothing;
    insert into creator_words as k (creator_id, word, standing)
      select new.user_id, w, standing_of(new.follower_count) from unnest(v_words) w
      on conflict (creator_id, word) do update set standing = excluded.standing where k.standing <> excluded.standing;
  end if;
  if tg_op = 'INSERT' then return null; end if;
  with gone as (delete from creator_words where creator_id = old.user_id and word <> all (v_words) returning word)
    select array_agg(word) into v_gone from gone;
  delete from search_words s where s.word = any (v_gone) and not exists (select from creator_words k where k.word = s.word);
  return null;
end $$;
