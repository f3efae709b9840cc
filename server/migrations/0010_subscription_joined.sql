-- subscriptions

-- When the fan began to subscribe to the creator. A change to another tier does not interrupt it.
alter table subscriptions add column joined_at timestamptz(3);
with marked as (
    select id, fan_id, creator_id, started_at,
      case when lag(end_reason) over same_pair = 'changed' then 0 else 1 end as is_first
    from subscriptions window same_pair as (partition by fan_id, creator_id order by id)),
  numbered as (
    select *, sum(is_first) over (partition by fan_id, creator_id order by id) as stay from marked),
  joined as (
    select id, min(started_at) over (partition by fan_id, creator_id, stay) as joined_at from numbered)
update subscriptions s set joined_at = j.joined_at from joined j where j.id = s.id;
alter table subscriptions alter column joined_at set not null, add check (joined_at <= started_at);
