-- Returns the search rank of a creator, the binary logarithm of the follower count. It rarely changes, so index entries
-- are rarely rewritten.
create or replace function search_rank(p_followers bigint) returns smallint
  language sql immutable parallel safe strict as $$
  select floor(ln(greatest(p_followers, 0) + 1) / ln(2) + 1e-9)::smallint
$$;
