create or replace function media_count_inserted() returns trigger language plpgsql as $$
begin
  insert into media_counts as c (owner_id, counts)
    select g.owner_id, jsonb_object_agg(g.key, g.n) from (
      select i.owner_id, media_count_key(i::media) as key, count(*) as n from inserted i where i.status <> 'uploading' group by 1, 2) g
    group by g.owner_id
    on conflict (owner_id) do update set counts = media_count_add(c.counts, excluded.counts);
  return null;
end $$;
