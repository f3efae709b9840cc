-- Creates the missing broadcast messages in all conversations of a fan and returns their number. Costs two lookups when
-- no creator sent a broadcast lately.
create or replace function chat_deliver_all_broadcasts(p_fan uuid, p_max int, p_at timestamptz) returns int language plpgsql as $$
declare
  v_since timestamptz; v_creator uuid; v_made int := 0; v_one int;
begin
  select caught_up_at into v_since from broadcast_cursors where fan_id = p_fan;
  for v_creator in
    -- Looks back five minutes because a broadcast is stamped before it is committed, possibly by another clock.
    select b.creator_id from broadcasters b
    where b.last_at > coalesce(v_since, '-infinity') - interval '5 minutes'
      and (exists (select from follows f where f.fan_id = p_fan and f.creator_id = b.creator_id)
        or exists (select from fan_creator_relations o where o.fan_id = p_fan and o.creator_id = b.creator_id))
      and not exists (select from conversations c where c.fan_id = p_fan and c.creator_id = b.creator_id and c.broadcast_seq >= b.last_seq)
    order by b.creator_id
  loop
    select count(*) into v_one from chat_deliver_broadcasts(v_creator, p_fan, p_max, p_at);
    v_made := v_made + v_one;
  end loop;
  if v_since is null or p_at - v_since > interval '10 minutes' then
    insert into broadcast_cursors (fan_id, caught_up_at) values (p_fan, p_at)
      on conflict (fan_id) do update set caught_up_at = greatest(broadcast_cursors.caught_up_at, excluded.caught_up_at);
  end if;
  return v_made;
end $$;
