-- Returns the creators that match a search, best first, with their part of the results and their rank, from which the
-- next page continues. Part 1 has creators with the rarest word or a word that begins with it, part 2 those with a word
-- that contains it, part 3 those with some of the words after a typo was corrected. p_part is 0 for the first page.
-- p_excluded_ids excludes ids. p_only_ids, when given, limits the search to these ids.
create or replace function search_creators(p_search text, p_patterns text[], p_category text, p_newest boolean, p_part integer, p_rank smallint, p_id uuid, p_max integer, p_only_ids uuid[], p_excluded_ids uuid[]) returns table(id uuid, suffix integer, rank smallint)
  language plpgsql stable as $$
declare
  v_patterns text[] := array(select unaccent_lower(p) from unnest(p_patterns) p);
  v_typed text[] := split_search_terms(unaccent_lower(p_search));
  v_words text[];
  v_list text;
  v_within text[];
  v_unknown text[];
  v_found int := 0;
  v_more int := 0;
begin
  select array_agg(w.typed) filter (where w.term is null and w.typed = any (v_typed)),
      (array_agg(w.term order by w.holders, w.term) filter (where w.term is not null))[1] into v_unknown, v_list
    from resolve_search_terms(v_typed || coalesce(split_search_terms(unaccent_lower(p_category)), '{}')) w;

  if v_unknown is null or p_part <> 1 then
    if v_unknown is not null then v_list := null; end if;
    if v_list is not null and p_only_ids is null and p_part < 2 then
      return query select l.id, 1, l.rank
        from list_creators_by_terms(array[v_list], null, v_patterns, p_category, p_newest, p_rank, p_id, p_max, null, p_excluded_ids) l;
      get diagnostics v_found = row_count;
    end if;
    if v_found < p_max then
      if p_only_ids is null then select w.words into v_within from find_terms_containing(v_typed) w order by w.holders, w.typed limit 1; end if;
      return query select l.id, 2, l.rank from list_creators_by_terms(v_within, v_list, v_patterns, p_category, p_newest,
        case when p_part = 2 then p_rank end, case when p_part = 2 then p_id end, p_max - v_found, p_only_ids, p_excluded_ids) l;
      get diagnostics v_more = row_count;
    end if;
    if v_unknown is null or p_part = 2 or v_found + v_more > 0 then return; end if;
  end if;

  select array_agg(m.term) into v_words from correct_search_terms(v_unknown) m;
  if array_position(v_words, null) is not null then return; end if;
  v_words := v_words || array(select t from unnest(v_typed) t where t <> all (v_unknown));
  v_patterns := array(select '%' || w || '%' from unnest(v_words) w);
  select (array_agg(w.term order by w.holders, w.term))[1], array_agg(w.term) filter (where w.holders < 300) into v_list, v_words
    from resolve_search_terms(v_words) w;
  return query select l.id, 1, l.rank
    from list_creators_by_terms(array[v_list], null, v_patterns, p_category, p_newest, p_rank, p_id, p_max, p_only_ids, p_excluded_ids) l;
  get diagnostics v_found = row_count;
  if v_found < p_max and cardinality(v_patterns) > 1 then
    return query select c.user_id, 3, max(h.rank) from unnest(v_words) w (term) cross join lateral (
        select k.creator_id, k.rank from creator_search_terms k where k.term = w.term order by k.rank desc, k.creator_id desc limit 50) h
      cross join lateral (select k.user_id from creators k where k.user_id = h.creator_id and k.is_listed and k.user_id <> all (p_excluded_ids)
        and (p_category is null or k.category = p_category) and (p_only_ids is null or k.user_id = any (p_only_ids))
        and not k.search_text like all (v_patterns) offset 0) c
      group by c.user_id order by count(*) desc, max(h.rank) desc, c.user_id desc limit p_max - v_found;
  end if;
end $$;
