-- Ends one batch: events that are through go (p_gone), others are noted (p_kept), what is to be done is written with its jobs
-- (p_due), other processes are told (p_notes). Nothing of it, and false, if somebody else leads.
create or replace function relay_commit(p_holder uuid, p_gone bigint[], p_kept jsonb, p_due jsonb, p_channel text, p_notes text[])
returns boolean language plpgsql as $$
begin
  -- The commit waits for no disk: what a crash brings back is told once more.
  perform set_config('synchronous_commit', 'off', true);
  perform from relay_lease l where l.holder = p_holder and l.until > clock_timestamp() for share;
  if not found then return false; end if;
  if p_due is not null then
    insert into reactions_due (lane, subject, reaction, event_id, payload, created_at)
      select d ->> 'lane', d ->> 'subject', d ->> 'reaction', (d ->> 'eventId')::uuid, d -> 'payload', (d ->> 'createdAt')::timestamptz
        from jsonb_array_elements(p_due) with ordinality e (d, n) order by n
      on conflict (event_id, reaction) do nothing;
    perform relay_job(s.lane, s.subject, now())
      from (select distinct d ->> 'lane' as lane, d ->> 'subject' as subject from jsonb_array_elements(p_due) d order by 1, 2) s;
  end if;
  if p_kept is not null then
    update outbox o set done = k.done, attempts = o.attempts + case when k.failure is null then 0 else 1 end,
        failure = coalesce(k.failure, o.failure),
        not_before = case when k.failure is null then o.not_before else now() + make_interval(secs => least(600, power(2, o.attempts))) end
      from jsonb_to_recordset(p_kept) k (id bigint, done text[], failure text) where o.id = k.id;
  end if;
  delete from outbox o where o.id = any(p_gone);
  perform pg_notify(p_channel, n) from unnest(p_notes) n;
  return true;
end $$;
