-- The relay: one process at a time takes events out of the outbox, under a lease; what is to be done about them waits here
-- for jobs. (What of an event is done stands with it from now on; reactions_done is for processes of the last release.)

-- Which reactions to an event need nothing more, when not all are through; null: nothing is.
alter table outbox add column done text[];

-- Who leads, and until when. A frozen leader's lease runs out like a dead one's.
create table relay_lease (
  id boolean primary key default true check (id),
  holder uuid,
  until timestamptz not null default '-infinity'
) with (fillfactor = 50);
insert into relay_lease default values;

-- What is to be done about events. The rows of one subject are worked on in their order by the one job of that subject.
create table reactions_due (
  id bigint generated always as identity primary key,
  lane text not null,
  subject text not null,
  -- event/name
  reaction text not null,
  event_id uuid not null,
  payload jsonb not null,
  created_at timestamptz(3) not null,
  -- How far work in steps has come.
  step text,
  attempts int not null default 0,
  not_before timestamptz(3) not null default '-infinity',
  failure text,
  unique (event_id, reaction)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
create index reactions_due_subject on reactions_due (lane, subject, id);

-- Makes sure of the one job of a subject, whether it waits, runs or is yet to be made, and that it is not later than p_at.
-- A job that runs looks for more before it ends (relay_rest), which waits here for the row lock.
create function relay_job(p_lane text, p_subject text, p_at timestamptz) returns void language plpgsql as $$
declare
  j record;
begin
  j := graphile_worker.add_job('relay.work', json_build_object('lane', p_lane, 'subject', p_subject), run_at => p_at, max_attempts => 1000,
    job_key => p_lane || ':' || p_subject, job_key_mode => 'unsafe_dedupe', flags => array[p_lane]);
  if j.locked_at is null and j.run_at > p_at then
    perform graphile_worker.reschedule_jobs(array[j.id], run_at => p_at, attempts => 0);
    -- As a new job says it.
    perform pg_notify('jobs:insert', json_build_object('r', random(), 'count', 1)::text);
  end if;
end $$;

-- Ends one batch: events that are through go (p_gone), others are noted (p_kept), what is to be done is written with its jobs
-- (p_due), other processes are told (p_notes). Nothing of it, and false, if somebody else leads.
create function relay_commit(p_holder uuid, p_gone bigint[], p_kept jsonb, p_due jsonb, p_channel text, p_notes text[])
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
    perform relay_job(s.lane, s.subject, now() + make_interval(secs => s.gather / 1000.0))
      from (select d ->> 'lane' as lane, d ->> 'subject' as subject, min((d ->> 'gatherMs')::int) as gather
        from jsonb_array_elements(p_due) d group by 1, 2 order by 1, 2) s;
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

-- What a subject's job did last, and its end: true when there is more to do now (and p_goes_on), and the job goes on; else there is
-- no job any more, or one for what is left, now or at a later attempt.
create function relay_rest(p_lane text, p_subject text, p_done bigint[], p_attempts int, p_goes_on boolean, p_pause interval)
returns boolean language plpgsql as $$
declare
  v_next timestamptz;
begin
  delete from reactions_due d where d.id = any(p_done);
  if p_goes_on and exists (select from reactions_due d where d.lane = p_lane and d.subject = p_subject and d.attempts < p_attempts
    and d.not_before <= now()) then return true; end if;
  -- Of a running job it takes the key away, so that whoever has more to do from here on makes a new one.
  perform graphile_worker.remove_job(p_lane || ':' || p_subject);
  select min(d.not_before) into v_next from reactions_due d where d.lane = p_lane and d.subject = p_subject and d.attempts < p_attempts;
  if v_next is not null then perform relay_job(p_lane, p_subject, greatest(v_next, now() + p_pause)); end if;
  return false;
end $$;
