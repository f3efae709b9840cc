create or replace trigger media_count_deleted after delete on media referencing old table as deleted
  for each statement execute function media_count_deleted();
create or replace trigger media_count_inserted after insert on media referencing new table as inserted
  for each statement execute function media_count_inserted();
create or replace trigger media_count_updated after update on media
  for each row when (((old.status = 'uploading') <> (new.status = 'uploading')) or (old.kind <> new.kind) or (old.is_in_set <> new.is_in_set) or ((old.used_at is null) <> (new.used_at is null)))
  execute function media_count_updated();
create or replace trigger media_set_metadata before insert or update on media
  for each row execute function media_set_metadata();
