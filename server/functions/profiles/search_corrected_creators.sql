-- Returns creators after a typo in some of the typed words was corrected, as in search_creators. p_wrong are these words.
-- p_found_patterns, when given, are those of the creators that were already found: then words without a correction stay
-- as they are, and all results are part 3. Otherwise nothing is found if a word has no correction, part 1 has the
-- creators with all words and part 3 those with some of them.
create or replace function search_corrected_creators(p_typed text[], p_wrong text[], p_found_patterns text[], p_category text, p_newest boolean, p_rank smallint, p_id uuid, p_max integer, p_only_ids uuid[], p_excluded_ids uuid[], p_max_cents bigint, p_has_trial boolean) returns table(id uuid, suffix integer, rank smallint)
  language plpgsql stable as $$
declare
  v_words text[];
  v_rare text[];
  v_patterns text[];
  v_list text[];
  v_listed text;
  v_found int := 0;
begin
  -- The rarest word leads to the creators, by all of its corrections. Of the other words only the best one counts.
  with corrected as (
    select t.typed, coalesce(c.terms, case when p_found_patterns is not null or t.typed <> all (p_wrong) then array[t.typed] end) as terms, c.terms is not null as is_corrected
      from unnest(p_typed) t (typed) left join correct_search_terms(p_wrong) c on c.typed = t.typed),
  counted as (
    select c.typed, c.terms, c.is_corrected,
        (select coalesce(sum((select count(*) from (select from creator_search_terms h where h.term = x limit 300) h)), 0) from unnest(c.terms) x) as holders
      from corrected c)
    select case when bool_and(c.terms is not null) and bool_or(c.is_corrected) then array_agg(c.terms[1] order by c.typed) end,
        array_agg(c.terms[1]) filter (where c.holders < 300),
        (array_agg(c.terms::text order by c.holders = 0, c.holders, c.typed))[1]::text[], (array_agg(c.typed order by c.holders = 0, c.holders, c.typed))[1],
        array_agg('%' || c.terms[1] || '%' order by c.typed) into v_words, v_rare, v_list, v_listed, v_patterns
      from counted c;
  if v_words is null then return; end if;
  select coalesce(array_agg(p.pattern), '{}') into v_patterns
    from unnest(p_typed, v_patterns) p (typed, pattern) where p.typed <> v_listed or p_only_ids is not null;
  return query select l.id, case when p_found_patterns is null then 1 else 3 end, l.rank
    from list_creators_by_terms(v_list, null, v_patterns, p_category, p_newest, p_rank, p_id, p_max, p_only_ids, p_excluded_ids, p_max_cents, p_has_trial) l
    where p_found_patterns is null or not exists (select from creators k where k.user_id = l.id and k.search_text like all (p_found_patterns));
  get diagnostics v_found = row_count;
  if v_found < p_max and p_found_patterns is null and cardinality(v_words) > 1 then
    v_patterns := array(select '%' || w || '%' from unnest(v_words) w);
    return query select c.user_id, 3, max(h.rank) from unnest(v_rare) w (term) cross join lateral (
        select k.creator_id, k.rank from creator_search_terms k where k.term = w.term order by k.rank desc, k.creator_id desc limit 50) h
      cross join lateral (select k.user_id from creators k where k.user_id = h.creator_id and k.is_listed and k.user_id <> all (p_excluded_ids)
        and (p_category is null or k.category = p_category) and (p_max_cents is null or k.subscription_cents <= p_max_cents)
            and (k.has_trial or not p_has_trial) and (p_only_ids is null or k.user_id = any (p_only_ids))
        and not k.search_text like all (v_patterns) offset 0) c
      group by c.user_id order by count(*) desc, max(h.rank) desc, c.user_id desc limit p_max - v_found;
  end if;
end $$;
