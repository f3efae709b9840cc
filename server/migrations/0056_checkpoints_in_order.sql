-- Each checkpoint is of a larger log than all before it, so that none can be put between two others.
create function transparency_grow() returns trigger language plpgsql as $$
begin
  raise exception 'replaced by its file';
end $$;
create trigger transparency_checkpoints_grow before insert on transparency_checkpoints for each row execute function transparency_grow();
