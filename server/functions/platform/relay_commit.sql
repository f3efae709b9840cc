-- Finishes one batch of the relay: deletes processed events (p_done_ids), updates unfinished ones (p_unfinished), inserts handler
-- rows with their jobs (p_due) and notifies other processes (p_notes). Changes nothing and returns false if this
-- process no longer holds the lease.
create or replace function relay_commit(p_holder uuid, p_done_ids bigint[], p_unfinished jsonb, p_due jsonb, p_channel text, p_notes text[])
returns boolean language plpgsql as $$
begin
  -- The commit does not wait for the disk because a crash only causes events to be delivered again.
  perform set_config('synchronous_commit', 'off', true);
  perform from relay_lease l where l.holder = p_holder and l.until > clock_timestamp() for share;
  if not found then return false; end if;
  if p_due is not null then
    insert into event_jobs (queue, subject, handler, event_id, payload, created_at)
      select d ->> 'queue', d ->> 'subject', d ->> 'handler', (d ->> 'eventId')::uuid, d -> 'payload', (d ->> 'createdAt')::timestamptz
        from jsonb_array_elements(p_due) with ordinality e (d, n) order by n
      on conflict (event_id, handler) do nothing;
    perform relay_schedule_job(s.queue, s.subject, now())
      from (select distinct d ->> 'queue' as queue, d ->> 'subject' as subject from jsonb_array_elements(p_due) d order by 1, 2) s;
  end if;
  if p_unfinished is not null then
    update outbox o set done = k.done, attempts = o.attempts + case when k.failure is null then 0 else 1 end,
        failure = coalesce(k.failure, o.failure),
        not_before = case when k.failure is null then o.not_before else now() + make_interval(secs => least(600, power(2, o.attempts))) end
      from jsonb_to_recordset(p_unfinished) k (id bigint, done text[], failure text) where o.id = k.id;
  end if;
  delete from outbox o where o.id = any(p_done_ids);
  perform pg_notify(p_channel, n) from unnest(p_notes) n;
  return true;
end $$;
