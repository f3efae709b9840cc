-- Returns up to 20 words that begin with a text, those of the most followed creators first. Among words with the same
-- three first letters at most 500 are compared.
create or replace function list_terms_beginning(p_start text) returns table(term text, best_rank smallint)
  language sql stable as $$
  (select s.term, s.best_rank from search_terms s where length(p_start) = 1 and left(s.term, 1) = p_start
    order by s.best_rank desc, s.term limit 20)
  union all
  (select s.term, s.best_rank from search_terms s where length(p_start) = 2 and left(s.term, 2) = p_start
    order by s.best_rank desc, s.term limit 20)
  union all
  (select s.term, s.best_rank from search_terms s where length(p_start) = 3 and left(s.term, 3) = p_start
    order by s.best_rank desc, s.term limit 20)
  union all
  (select x.term, x.best_rank from (select s.term, s.best_rank from search_terms s where length(p_start) > 3
      and s.term >= p_start and s.term < p_start || chr(1114111) order by s.term limit 500) x
    order by x.best_rank desc, x.term limit 20)
$$;
