-- Processes keep what they know of a session for some seconds, and sockets open for hours. That one ended they are told by the
-- very commit that ends it, whichever process and whichever statement that is (kernel/wire.ts hears it).

create function sessions_tell_ended() returns trigger language plpgsql as $$
begin
  -- In parts: PostgreSQL takes 8,000 bytes.
  perform pg_notify('stagedoor', json_build_object('kind', 'ended', 'sessionIds', json_agg(p.id), 'userIds', '[]'::json)::text)
    from (select id, row_number() over () / 100 as part from ended) p group by p.part;
  return null;
end $$;
create trigger sessions_told after delete on sessions referencing old table as ended for each statement execute function sessions_tell_ended();

create function users_tell_blocked() returns trigger language plpgsql as $$
begin
  perform pg_notify('stagedoor', json_build_object('kind', 'ended', 'sessionIds', '[]'::json, 'userIds', json_build_array(new.id))::text);
  return null;
end $$;
create trigger users_told after update of is_blocked on users for each row when (old.is_blocked is distinct from new.is_blocked)
  execute function users_tell_blocked();
