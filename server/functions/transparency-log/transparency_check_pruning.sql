-- Permits deleting only checkpoints older than 30 days, by the clock of the database, that are followed by another one
-- of the same UTC day, so that the log of each day can be proven forever. Nothing can be inserted between checkpoints
-- (transparency_require_growth), so an insert cannot make an older one deletable.
create or replace function transparency_check_pruning() returns trigger language plpgsql as $$
begin
  if old.made_at > now() - interval '30 days'
    or date_trunc('day', old.made_at, 'UTC') is distinct from (
      select date_trunc('day', c.made_at, 'UTC') from transparency_checkpoints c where c.size > old.size order by c.size limit 1) then
    raise exception 'DELETE is refused on transparency_checkpoints: the last of a day stays, and all of a month'
      using errcode = 'insufficient_privilege';
  end if;
  return old;
end $$;
