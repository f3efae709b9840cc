-- Checkpoints stay, but for those of more than 30 days ago after which, next in size, another of the same day (UTC) stays: what the log
-- was on each day can be shown for ever. Who may insert can put nothing between two others (transparency_grow), so that what is
-- inserted lets nothing go that stood before; and the age is by the database's own clock.
create or replace function transparency_thin() returns trigger language plpgsql as $$
begin
  if old.made_at > now() - interval '30 days'
    or date_trunc('day', old.made_at, 'UTC') is distinct from (
      select date_trunc('day', c.made_at, 'UTC') from transparency_checkpoints c where c.size > old.size order by c.size limit 1) then
    raise exception 'DELETE is refused on transparency_checkpoints: the last of a day stays, and all of a month'
      using errcode = 'insufficient_privilege';
  end if;
  return old;
end $$;
