-- Returns the creators that match a search, best first, with their part of the results and their rank, from which the
-- next page continues. Part 1 has creators with the rarest word or a word that begins with it, part 2 those with a word
-- that contains it, part 3 those with some of the words after a typo was corrected. p_part is 0 for the first page.
-- p_without excludes ids. p_among, when given, limits the search to these ids.
create or replace function creators_found(p_search text, p_patterns text[], p_category text, p_newest boolean, p_part integer, p_rank smallint, p_id uuid, p_most integer, p_among uuid[], p_without uuid[]) returns table(id uuid, part integer, rank smallint)
  language plpgsql stable as $$
declare
  v_patterns text[] := array(select plain(p) from unnest(p_patterns) p);
  v_typed text[] := words_of(plain(p_search));
  v_words text[];
  v_list text;
  v_within text[];
  v_unknown text[];
  v_found int := 0;
  v_more int := 0;
begin
  select array_agg(w.typed) filter (where w.word is null and w.typed = any (v_typed)),
      (array_agg(w.word order by w.holders, w.word) filter (where w.word is not null))[1] into v_unknown, v_list
    from words_read(v_typed || coalesce(words_of(plain(p_category)), '{}')) w;

  if v_unknown is null or p_part <> 1 then
    if v_unknown is not null then v_list := null; end if;
    if v_list is not null and p_among is null and p_part < 2 then
      return query select l.id, 1, l.rank
        from creators_listing(array[v_list], null, v_patterns, p_category, p_newest, p_rank, p_id, p_most, null, p_without) l;
      get diagnostics v_found = row_count;
    end if;
    if v_found < p_most then
      if p_among is null then select w.words into v_within from words_within(v_typed) w order by w.holders, w.typed limit 1; end if;
      return query select l.id, 2, l.rank from creators_listing(v_within, v_list, v_patterns, p_category, p_newest,
        case when p_part = 2 then p_rank end, case when p_part = 2 then p_id end, p_most - v_found, p_among, p_without) l;
      get diagnostics v_more = row_count;
    end if;
    if v_unknown is null or p_part = 2 or v_found + v_more > 0 then return; end if;
  end if;

  select array_agg(m.word) into v_words from words_mended(v_unknown) m;
  if array_position(v_words, null) is not null then return; end if;
  v_words := v_words || array(select t from unnest(v_typed) t where t <> all (v_unknown));
  v_patterns := array(select '%' || w || '%' from unnest(v_words) w);
  select (array_agg(w.word order by w.holders, w.word))[1], array_agg(w.word) filter (where w.holders < 300) into v_list, v_words
    from words_read(v_words) w;
  return query select l.id, 1, l.rank
    from creators_listing(array[v_list], null, v_patterns, p_category, p_newest, p_rank, p_id, p_most, p_among, p_without) l;
  get diagnostics v_found = row_count;
  if v_found < p_most and cardinality(v_patterns) > 1 then
    return query select c.user_id, 3, max(h.standing) from unnest(v_words) w (word) cross join lateral (
        select k.creator_id, k.standing from creator_words k where k.word = w.word order by k.standing desc, k.creator_id desc limit 50) h
      cross join lateral (select k.user_id from creators k where k.user_id = h.creator_id and k.is_listed and k.user_id <> all (p_without)
        and (p_category is null or k.category = p_category) and (p_among is null or k.user_id = any (p_among))
        and not k.search_text like all (v_patterns) offset 0) c
      group by c.user_id order by count(*) desc, max(h.standing) desc, c.user_id desc limit p_most - v_found;
  end if;
end $$;
