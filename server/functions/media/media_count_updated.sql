create or replace function media_count_updated() returns trigger language plpgsql as $$
declare
  v_change jsonb := '{}';
begin
  if old.status <> 'uploading' then v_change := jsonb_build_object(media_count_key(old), -1); end if;
  if new.status <> 'uploading' then
    v_change := v_change || jsonb_build_object(media_count_key(new), 1 + coalesce((v_change ->> media_count_key(new))::int, 0));
  end if;
  insert into media_counts as c (owner_id, counts) values (new.owner_id, v_change)
    on conflict (owner_id) do update set counts = media_count_add(c.counts, excluded.counts);
  return null;
end $$;
