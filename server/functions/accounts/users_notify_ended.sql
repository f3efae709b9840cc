-- Notifies every process of a blocked or unblocked user as part of the same commit.
create or replace function users_notify_ended() returns trigger language plpgsql as $$
begin
  perform pg_notify('stagedoor', json_build_object('kind', 'ended', 'sessionIds', '[]'::json, 'userIds', json_build_array(new.id))::text);
  return null;
end $$;
