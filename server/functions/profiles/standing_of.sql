-- How many followers, counted in doublings: a place that moves seldom, so that lists of words are seldom written.
create or replace function standing_of(p_followers bigint) returns smallint
  language sql immutable parallel safe strict as $$
  select floor(ln(greatest(p_followers, 0) + 1) / ln(2) + 1e-9)::smallint
$$;
