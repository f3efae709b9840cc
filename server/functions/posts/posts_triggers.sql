create or replace trigger posts_update_media_metadata after update on media
  for each row when ((old.metadata is distinct from new.metadata) and (new.used_at is not null))
  execute function posts_update_media_metadata();
