-- Checkpoints stay, but for those a month older than the newest of which a later one of the same day (UTC) stays: what the log was
-- on each day can be shown for ever.
create or replace function transparency_thin() returns trigger language plpgsql as $$
begin
  if old.made_at > (select max(made_at) from transparency_checkpoints) - interval '30 days'
    or not exists (select from transparency_checkpoints c where c.size > old.size
      and date_trunc('day', c.made_at, 'UTC') = date_trunc('day', old.made_at, 'UTC')) then
    raise exception 'DELETE is refused on transparency_checkpoints: the last of a day stays, and all of a month'
      using errcode = 'insufficient_privilege';
  end if;
  return old;
end $$;
