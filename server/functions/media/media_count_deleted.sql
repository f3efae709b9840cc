create or replace function media_count_deleted() returns trigger language plpgsql as $$
begin
  -- Updates without inserting because the counts are deleted together with their owner.
  update media_counts c set counts = media_count_add(c.counts, g.change) from (
    select f.owner_id, jsonb_object_agg(f.key, -f.n) as change from (
      select d.owner_id, media_count_key(d::media) as key, count(*) as n from deleted d where d.status <> 'uploading' group by 1, 2) f
    group by f.owner_id) g
  where c.owner_id = g.owner_id;
  return null;
end $$;
