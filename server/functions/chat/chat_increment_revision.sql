-- Counts the changes of a row, so that clients know which of two updates is newer.
create or replace function chat_increment_revision() returns trigger language plpgsql as $$
begin
  new.revision := old.revision + 1;
  return new;
end $$;
