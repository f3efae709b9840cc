-- What a subject's job did last, and its end: true when there is more to do now (and p_goes_on), and the job goes on; else there is
-- no job any more, or one for what is left, now or at a later attempt.
create or replace function relay_rest(p_lane text, p_subject text, p_done bigint[], p_attempts int, p_goes_on boolean, p_pause interval)
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
