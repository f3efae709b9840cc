create or replace function media_facts_to_post() returns trigger language plpgsql as $$
begin
  update posts p set media_facts = (
      select post_media_facts(array_agg(pm.media_id order by pm.position), array_agg(pm.alt order by pm.position)) from post_media pm where pm.post_id = p.id)
    where p.id = (select pm.post_id from post_media pm where pm.media_id = new.id);
  return null;
end $$;
