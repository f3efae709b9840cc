-- Tells every process which sessions ended, by the very commit that ends them (kernel/process-channel.ts hears it).
create or replace function sessions_tell_ended() returns trigger language plpgsql as $$
begin
  -- In parts: PostgreSQL takes 8,000 bytes.
  perform pg_notify('stagedoor', json_build_object('kind', 'ended', 'sessionIds', json_agg(p.id), 'userIds', '[]'::json)::text)
    from (select id, row_number() over () / 100 as part from ended) p group by p.part;
  return null;
end $$;
