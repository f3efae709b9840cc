-- Maintains the search words of each creator with their rank, and the list of all words with the rank of their most
-- followed creator, their deletion variants and suffixes.
create or replace function creators_update_search_terms() returns trigger
  language plpgsql as $$
declare
  v_words text[] := '{}';
  v_rank smallint;
  v_old_rank smallint;
  v_gone text[];
begin
  if tg_op <> 'INSERT' then v_old_rank := search_rank(old.follower_count); end if;
  if tg_op <> 'DELETE' and new.is_listed then
    v_words := split_search_terms(new.search_text);
    v_rank := search_rank(new.follower_count);
    with made as (
      insert into search_terms (term, deletion_variants, best_rank) select w, term_deletion_variants(w), v_rank from unnest(v_words) w order by w
        on conflict do nothing returning term)
      insert into search_term_suffixes (suffix, term) select p, m.term from made m, unnest(term_suffixes(m.term)) p order by p, m.term
        on conflict do nothing;
    -- In the order of the terms, so that two profiles cannot wait for each other.
    with lower as (select s.term from search_terms s where s.term = any (v_words) and s.best_rank < v_rank order by s.term for update)
      update search_terms s set best_rank = v_rank from lower l where s.term = l.term;
    insert into creator_search_terms as k (creator_id, term, rank)
      select new.user_id, w, v_rank from unnest(v_words) w
      on conflict (creator_id, term) do update set rank = excluded.rank where k.rank <> excluded.rank;
  end if;
  if tg_op = 'INSERT' then return null; end if;
  with gone as (delete from creator_search_terms where creator_id = old.user_id and term <> all (v_words) returning term)
    select array_agg(term) into v_gone from gone;
  with gone as (
    delete from search_terms s where s.term = any (v_gone) and not exists (select from creator_search_terms k where k.term = s.term)
      returning term)
    delete from search_term_suffixes p using (select g.term, unnest(term_suffixes(g.term)) as suffix from gone g) g
      where p.suffix = g.suffix and p.term = g.term;
  if v_gone is not null or v_rank < v_old_rank then
    with stale as (
      select s.term from search_terms s where s.term = any (v_gone || v_words) and s.best_rank = v_old_rank order by s.term for update),
    fresh as (
      select s.term, (select max(k.rank) from creator_search_terms k where k.term = s.term) as rank from stale s)
      update search_terms s set best_rank = f.rank from fresh f where s.term = f.term and f.rank <> s.best_rank;
  end if;
  return null;
end $$;
