create or replace function posts_update_media_metadata() returns trigger language plpgsql as $$
begin
  update posts p set media_metadata = (
      select build_post_media_metadata(array_agg(pm.media_id order by pm.position), array_agg(pm.alt order by pm.position)) from post_media pm where pm.post_id = p.id)
    where p.id = (select pm.post_id from post_media pm where pm.media_id = new.id);
  return null;
end $$;
