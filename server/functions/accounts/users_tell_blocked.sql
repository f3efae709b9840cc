-- Tells every process that a person was blocked or let in again, by the very commit that does it (kernel/process-channel.ts hears it).
create or replace function users_tell_blocked() returns trigger language plpgsql as $$
begin
  perform pg_notify('stagedoor', json_build_object('kind', 'ended', 'sessionIds', '[]'::json, 'userIds', json_build_array(new.id))::text);
  return null;
end $$;
