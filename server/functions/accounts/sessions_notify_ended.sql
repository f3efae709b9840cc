-- Notifies every process of the ended sessions as part of the commit that ends them.
create or replace function sessions_notify_ended() returns trigger language plpgsql as $$
begin
  -- Sent in batches because the payload of NOTIFY is limited to 8,000 bytes.
  perform pg_notify('stagedoor', json_build_object('kind', 'ended', 'sessionIds', json_agg(p.id), 'userIds', '[]'::json)::text)
    from (select id, row_number() over () / 100 as part from ended) p group by p.part;
  return null;
end $$;
