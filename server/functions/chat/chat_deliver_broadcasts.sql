-- Creates the missing broadcast messages of one creator in a fan's conversation, at most the newest p_max, and returns
-- their ids.
create or replace function chat_deliver_broadcasts(p_creator uuid, p_fan uuid, p_max int, p_at timestamptz) returns setof uuid language plpgsql as $$
declare
  c conversations; b broadcasts; v_last bigint; v_exists boolean; v_made uuid; v_count int := 0; v_at timestamptz;
begin
  select * into c from conversations where fan_id = p_fan and creator_id = p_creator for no key update;
  v_exists := found;
  select last_seq into v_last from broadcasters where creator_id = p_creator;
  if v_last is null or v_exists and c.broadcast_seq >= v_last then return; end if;
  if v_exists and (c.is_blocked_by_creator or c.is_blocked_by_fan) then
    update conversations set broadcast_seq = v_last where id = c.id;
    return;
  end if;
  for b in
    select x.* from (select * from broadcasts where creator_id = p_creator and seq > coalesce(c.broadcast_seq, 0) and seq <= v_last
      order by seq desc limit p_max) x
    where x.state = 'sent' and x.taken_down_at is null and is_broadcast_recipient(x, p_fan) order by x.seq
  loop
    if not v_exists then
      insert into conversations (id, creator_id, fan_id, state, created_at) values (uuidv7(), p_creator, p_fan, 'open', p_at)
        on conflict (fan_id, creator_id) do nothing returning * into c;
      if c.id is null then
        -- A concurrent transaction created the conversation and may have delivered already.
        return query select chat_deliver_broadcasts(p_creator, p_fan, p_max, p_at);
        return;
      end if;
      insert into fan_creator_relations (fan_id, creator_id, since) values (p_fan, p_creator, p_at) on conflict do nothing;
      v_exists := true;
    end if;
    v_count := v_count + 1;
    v_made := uuidv7();
    v_at := b.sent_at;
    insert into messages (conversation_id, seq, id, sender_id, client_id, is_from_creator, type, price_cents, is_view_once, broadcast_id, created_at, author_id)
      values (c.id, c.last_seq + v_count, v_made, p_creator, b.id, true, b.type, b.price_cents, b.is_view_once, b.id, b.sent_at, b.author_id);
    perform broadcast_add_counts(b.id, p_fan, 1, 0, 0, 0);
    return next v_made;
  end loop;
  if v_exists then
    update conversations set broadcast_seq = v_last, last_seq = last_seq + v_count, fan_unread = fan_unread + v_count,
      fan_listed_at = case when v_count > 0 then greatest(fan_listed_at, v_at) else fan_listed_at end where id = c.id;
  end if;
end $$;
