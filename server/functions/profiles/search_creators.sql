-- Returns the creators that match a search, best first, with their part of the results and their rank, from which the
-- next page continues. Part 1 has creators with the rarest word or words that begin with it, part 2 those with a word
-- that contains it, part 3 those with some of the words, or with a word that differs by a typo from one that no creator
-- has exactly. p_part is 0 for the first page. p_excluded_ids excludes ids. p_only_ids, when given, limits the search to
-- these ids. p_max_cents, when given, and p_has_trial limit it to creators with such a subscription.
create or replace function search_creators(p_search text, p_patterns text[], p_category text, p_newest boolean, p_part integer, p_rank smallint, p_id uuid, p_max integer, p_only_ids uuid[], p_excluded_ids uuid[], p_max_cents bigint, p_has_trial boolean) returns table(id uuid, suffix integer, rank smallint)
  language plpgsql stable as $$
declare
  v_patterns text[] := array(select unaccent_lower(p) from unnest(p_patterns) p);
  v_typed text[] := split_search_terms(unaccent_lower(p_search));
  v_list text[];
  v_within text[];
  v_unknown text[];
  v_inexact text[];
  v_found int := 0;
  v_more int := 0;
begin
  -- The array of arrays is text, because arrays of arrays need equal lengths.
  select array_agg(w.typed) filter (where w.terms is null and w.typed = any (v_typed)),
      array_agg(w.typed) filter (where not w.is_exact and w.typed = any (v_typed)),
      (array_agg(w.terms::text order by w.holders, w.typed) filter (where w.terms is not null))[1]::text[] into v_unknown, v_inexact, v_list
    from resolve_search_terms(v_typed || coalesce(split_search_terms(unaccent_lower(p_category)), '{}')) w;

  if v_unknown is null or p_part <> 1 then
    if v_unknown is not null then v_list := null; end if;
    if v_list is not null and p_only_ids is null and p_part < 2 then
      return query select l.id, 1, l.rank
        from list_creators_by_terms(v_list, null, v_patterns, p_category, p_newest, p_rank, p_id, p_max, null, p_excluded_ids, p_max_cents, p_has_trial) l;
      get diagnostics v_found = row_count;
    end if;
    if v_found < p_max then
      if p_only_ids is null then select w.words into v_within from find_terms_containing(v_typed) w where w.words is not null order by w.holders, w.typed limit 1; end if;
      return query select l.id, 2, l.rank from list_creators_by_terms(v_within, v_list, v_patterns, p_category, p_newest,
        case when p_part = 2 then p_rank end, case when p_part = 2 then p_id end, p_max - v_found, p_only_ids, p_excluded_ids, p_max_cents, p_has_trial) l;
      get diagnostics v_more = row_count;
      v_found := v_found + v_more;
    end if;
    if v_found >= p_max or v_inexact is null or (v_unknown is not null and (v_found > 0 or p_part = 2)) then return; end if;
  end if;
  return query select c.id, c.suffix, c.rank from search_corrected_creators(v_typed, coalesce(v_unknown, v_inexact),
    case when v_unknown is null then v_patterns end, p_category, p_newest,
    case when v_unknown is not null then p_rank end, case when v_unknown is not null then p_id end, p_max - v_found, p_only_ids, p_excluded_ids, p_max_cents, p_has_trial) c;
end $$;
