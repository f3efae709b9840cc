create or replace function transparency_require_growth() returns trigger language plpgsql as $$
begin
  if new.size <= (select max(size) from transparency_checkpoints) then
    raise exception 'INSERT is refused on transparency_checkpoints: a later one is of a larger log' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
