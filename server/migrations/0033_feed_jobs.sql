-- Posts that were on their way into timelines as jobs of the last release go on as work about events.

do $$
declare
  j record;
begin
  if to_regclass('graphile_worker._private_jobs') is null then return; end if;
  for j in select p.id, t.identifier, p.payload::jsonb as payload, 'feed:' || (p.payload ->> 'postId') as subject
    from graphile_worker._private_jobs p join graphile_worker._private_tasks t on t.id = p.task_id
    where t.identifier in ('feed.fanOut', 'feed.withdraw') order by p.id
  loop
    insert into reactions_due (lane, subject, reaction, event_id, payload, created_at, step)
      values ('bulk', j.subject, case j.identifier when 'feed.fanOut' then 'post.published/' else 'post.removed/' end || j.identifier,
        gen_random_uuid(), j.payload - 'after', now(), j.payload ->> 'after');
    perform relay_job('bulk', j.subject, now());
    delete from graphile_worker._private_jobs where id = j.id;
  end loop;
end $$;
