-- A post of no files is one that was taken down unsold: they are its creator's to use again.
alter table posts drop constraint posts_media_count_check, add constraint posts_media_count_check check (media_count > 0 or removed_at is not null);

with given as (
  delete from post_media pm using posts p
  where p.id = pm.post_id and p.removed_at is not null
    and not exists (select from post_purchases x where x.post_id = p.id and x.revoked_at is null)
  returning pm.post_id, pm.media_id),
emptied as (update posts set media_count = 0, media_facts = '[]' where id in (select post_id from given))
update media set used_at = null, is_in_set = false where id in (select media_id from given);
