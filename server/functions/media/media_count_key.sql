-- Returns the count that a medium belongs to: `kind:set|single:used|unused`.
create or replace function media_count_key(m media) returns text language sql immutable as $$
  select m.kind || case when m.is_in_set then ':set' else ':single' end || case when m.used_at is null then ':unused' else ':used' end
$$;
