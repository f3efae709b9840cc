-- Ensures that a subject has exactly one job, waiting or running, that starts no later than p_at. A running job checks
-- for more rows before it ends and then waits for the row lock taken here.
create or replace function relay_schedule_job(p_queue text, p_subject text, p_at timestamptz) returns void language plpgsql as $$
declare
  j record;
begin
  j := graphile_worker.add_job('relay.work', json_build_object('queue', p_queue, 'subject', p_subject), run_at => p_at, max_attempts => 1000,
    job_key => p_queue || ':' || p_subject, job_key_mode => 'unsafe_dedupe', flags => array[p_queue]);
  if j.locked_at is null and j.run_at > p_at then
    perform graphile_worker.reschedule_jobs(array[j.id], run_at => p_at, attempts => 0);
    -- graphile-worker sends the same notification for a new job.
    perform pg_notify('jobs:insert', json_build_object('r', random(), 'count', 1)::text);
  end if;
end $$;
