-- A count of the changes of a row: of two tellings the one with the higher count is the later one.
create or replace function chat_revise() returns trigger language plpgsql as $$
begin
  new.revision := old.revision + 1;
  return new;
end $$;
