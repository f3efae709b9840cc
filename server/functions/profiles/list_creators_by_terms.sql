-- Returns the creators with any of p_words who match the patterns, by rank or newest first, after a cursor. p_only_ids,
-- when given, replaces the words. Skips creators who also have one of p_excluded_terms, because they are in another part of the
-- results. Reads at most 10,000 creators.
create or replace function list_creators_by_terms(p_words text[], p_excluded_terms text[], p_patterns text[], p_category text, p_newest boolean, p_rank smallint, p_id uuid, p_max integer, p_only_ids uuid[], p_excluded_ids uuid[], p_max_cents bigint, p_has_trial boolean) returns table(id uuid, rank smallint)
  language plpgsql stable as $$
declare
  v_rank smallint := coalesce(p_rank, 32767);
  v_id uuid := coalesce(p_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  v_ids uuid[];
  v_ranks smallint[];
  v_chunk int := 2 * p_max;
  v_looked int := 0;
  v_found int := 0;
  v_more int;
begin
  if p_only_ids is not null then
    return query select c.user_id, c.rank from unnest(p_only_ids) a (id) cross join lateral (
        select k.user_id, case when p_newest then 0::smallint else search_rank(k.follower_count) end as rank from creators k
          where k.user_id = a.id and k.is_listed and k.user_id <> all (p_excluded_ids) and (p_category is null or k.category = p_category) and (p_max_cents is null or k.subscription_cents <= p_max_cents)
            and (k.has_trial or not p_has_trial)
            and k.search_text like all (p_patterns) offset 0) c
      where (c.rank, c.user_id) < (v_rank, v_id) order by c.rank desc, c.user_id desc limit p_max;
    return;
  end if;

  loop
    if p_newest then
      select array_agg(w.creator_id order by w.creator_id desc), array_agg(0::smallint) into v_ids, v_ranks from (
        select distinct k.creator_id from unnest(p_words) x (term) cross join lateral (
            select l.creator_id from creator_search_terms l where l.term = x.term and l.creator_id < v_id order by l.creator_id desc limit v_chunk) k
          order by k.creator_id desc limit v_chunk) w;
    else
      select array_agg(w.creator_id order by w.rank desc, w.creator_id desc), array_agg(w.rank order by w.rank desc, w.creator_id desc)
        into v_ids, v_ranks from (
        select distinct k.creator_id, k.rank from unnest(p_words) x (term) cross join lateral (
            select l.creator_id, l.rank from creator_search_terms l where l.term = x.term and (l.rank, l.creator_id) < (v_rank, v_id)
              order by l.rank desc, l.creator_id desc limit v_chunk) k
          order by k.rank desc, k.creator_id desc limit v_chunk) w;
    end if;
    exit when v_ids is null;
    return query select c.user_id, l.rank from unnest(v_ids, v_ranks) with ordinality l (id, rank, position) cross join lateral (
        select k.user_id from creators k where k.user_id = l.id and k.is_listed and k.user_id <> all (p_excluded_ids)
          and (p_category is null or k.category = p_category) and (p_max_cents is null or k.subscription_cents <= p_max_cents)
            and (k.has_trial or not p_has_trial) and k.search_text like all (p_patterns)
          and (p_excluded_terms is null or not exists (select from creator_search_terms b where b.creator_id = k.user_id and b.term = any (p_excluded_terms))) offset 0) c
      order by l.position limit p_max - v_found;
    get diagnostics v_more = row_count;
    v_found := v_found + v_more;
    v_looked := v_looked + cardinality(v_ids);
    exit when cardinality(v_ids) < v_chunk or v_found >= p_max or v_looked >= 10000;
    v_rank := v_ranks[v_chunk];
    v_id := v_ids[v_chunk];
    v_chunk := least(4 * v_chunk, 2000);
  end loop;
end $$;
