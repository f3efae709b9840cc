-- Deletes the finished rows of a subject. Returns true when more rows are due and p_may_continue is set, so that the job
-- continues. Otherwise removes the job and schedules a new one for the remaining rows.
create or replace function relay_finish_batch(p_queue text, p_subject text, p_done bigint[], p_attempts int, p_may_continue boolean, p_pause interval)
returns boolean language plpgsql as $$
declare
  v_next timestamptz;
begin
  delete from event_jobs d where d.id = any(p_done);
  if p_may_continue and exists (select from event_jobs d where d.queue = p_queue and d.subject = p_subject and d.attempts < p_attempts
    and d.not_before <= now()) then return true; end if;
  -- For a running job this removes only the key, so that a concurrent transaction with more work creates a new job.
  perform graphile_worker.remove_job(p_queue || ':' || p_subject);
  select min(d.not_before) into v_next from event_jobs d where d.queue = p_queue and d.subject = p_subject and d.attempts < p_attempts;
  if v_next is not null then perform relay_schedule_job(p_queue, p_subject, greatest(v_next, now() + p_pause)); end if;
  return false;
end $$;
