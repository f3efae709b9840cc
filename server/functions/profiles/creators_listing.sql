-- Returns the creators with any of p_words who match the patterns, by rank or newest first, after a cursor. p_among,
-- when given, replaces the words. Skips creators who also have the word p_but, because they are in another part of the
-- results. Reads at most 10,000 creators.
create or replace function creators_listing(p_words text[], p_but text, p_patterns text[], p_category text, p_newest boolean, p_rank smallint, p_id uuid, p_most integer, p_among uuid[], p_without uuid[]) returns table(id uuid, rank smallint)
  language plpgsql stable as $$
declare
  v_rank smallint := coalesce(p_rank, 32767);
  v_id uuid := coalesce(p_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  v_ids uuid[];
  v_ranks smallint[];
  v_chunk int := 2 * p_most;
  v_looked int := 0;
  v_found int := 0;
  v_more int;
begin
  if p_among is not null then
    return query select c.user_id, c.rank from unnest(p_among) a (id) cross join lateral (
        select k.user_id, case when p_newest then 0::smallint else standing_of(k.follower_count) end as rank from creators k
          where k.user_id = a.id and k.is_listed and k.user_id <> all (p_without) and (p_category is null or k.category = p_category)
            and k.search_text like all (p_patterns) offset 0) c
      where (c.rank, c.user_id) < (v_rank, v_id) order by c.rank desc, c.user_id desc limit p_most;
    return;
  end if;

  loop
    if p_newest then
      select array_agg(w.creator_id order by w.creator_id desc), array_agg(0::smallint) into v_ids, v_ranks from (
        select distinct k.creator_id from unnest(p_words) x (word) cross join lateral (
            select l.creator_id from creator_words l where l.word = x.word and l.creator_id < v_id order by l.creator_id desc limit v_chunk) k
          order by k.creator_id desc limit v_chunk) w;
    else
      select array_agg(w.creator_id order by w.standing desc, w.creator_id desc), array_agg(w.standing order by w.standing desc, w.creator_id desc)
        into v_ids, v_ranks from (
        select distinct k.creator_id, k.standing from unnest(p_words) x (word) cross join lateral (
            select l.creator_id, l.standing from creator_words l where l.word = x.word and (l.standing, l.creator_id) < (v_rank, v_id)
              order by l.standing desc, l.creator_id desc limit v_chunk) k
          order by k.standing desc, k.creator_id desc limit v_chunk) w;
    end if;
    exit when v_ids is null;
    return query select c.user_id, l.rank from unnest(v_ids, v_ranks) with ordinality l (id, rank, place) cross join lateral (
        select k.user_id from creators k where k.user_id = l.id and k.is_listed and k.user_id <> all (p_without)
          and (p_category is null or k.category = p_category) and k.search_text like all (p_patterns)
          and (p_but is null or not exists (select from creator_words b where b.creator_id = k.user_id and b.word = p_but)) offset 0) c
      order by l.place limit p_most - v_found;
    get diagnostics v_more = row_count;
    v_found := v_found + v_more;
    v_looked := v_looked + cardinality(v_ids);
    exit when cardinality(v_ids) < v_chunk or v_found >= p_most or v_looked >= 10000;
    v_rank := v_ranks[v_chunk];
    v_id := v_ids[v_chunk];
    v_chunk := least(4 * v_chunk, 2000);
  end loop;
end $$;
