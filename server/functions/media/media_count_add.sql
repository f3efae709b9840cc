create or replace function media_count_add(p_counts jsonb, p_change jsonb) returns jsonb language sql immutable as $$
  select p_counts || (select jsonb_object_agg(c.key, coalesce((p_counts ->> c.key)::bigint, 0) + c.value::bigint) from jsonb_each_text(p_change) c)
$$;
