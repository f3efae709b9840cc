-- Marks the messages of the other side as delivered or read, up to the newest of p_ids. Returns no row when nothing
-- changes, otherwise the owner of the messages, the last seq and the newest p_max_ids ids that were marked.
create or replace function chat_mark_messages(p_user uuid, p_conversation uuid, p_ids uuid[], p_is_read boolean, p_max_ids int)
returns table (owner_id uuid, up_to bigint, ids uuid[]) language plpgsql as $$
#variable_conflict use_column
declare
  c conversations; v_is_creator boolean; v_to bigint; v_from bigint; v_unread int; v_broadcast uuid;
begin
  select * into c from conversations x where x.id = p_conversation and p_user in (x.creator_id, x.fan_id);
  if c.id is null then return; end if;
  v_is_creator := c.creator_id = p_user;
  select max(m.seq) into v_to from messages m where m.id = any (p_ids) and m.conversation_id = c.id and m.is_from_creator <> v_is_creator;
  if v_to is null then return; end if;
  select * into c from conversations x where x.id = p_conversation for no key update;
  v_from := case when p_is_read then case when v_is_creator then c.creator_read_seq else c.fan_read_seq end
    else case when v_is_creator then c.creator_delivered_seq else c.fan_delivered_seq end end;
  if v_to <= v_from then return; end if;
  if not p_is_read then
    update conversations x set creator_delivered_seq = case when v_is_creator then v_to else x.creator_delivered_seq end,
      fan_delivered_seq = case when v_is_creator then x.fan_delivered_seq else v_to end where x.id = c.id;
  else
    if v_to >= c.last_seq then
      v_unread := 0;
    else
      select count(*) into v_unread from messages m where m.conversation_id = c.id and m.seq > v_to and m.is_from_creator <> v_is_creator
        and m.unsent_at is null and not case when v_is_creator then m.is_hidden_from_creator else m.is_hidden_from_fan end;
    end if;
    if v_is_creator then
      update conversations x set creator_read_seq = v_to, creator_delivered_seq = greatest(x.creator_delivered_seq, v_to), creator_unread = v_unread where x.id = c.id;
    else
      update conversations x set fan_read_seq = v_to, fan_delivered_seq = greatest(x.fan_delivered_seq, v_to), fan_unread = v_unread where x.id = c.id;
      for v_broadcast in select m.broadcast_id from messages m
        where m.conversation_id = c.id and m.seq > v_from and m.seq <= v_to and m.broadcast_id is not null order by m.broadcast_id
      loop
        perform broadcast_add_counts(v_broadcast, p_user, 0, 1, 0, 0);
      end loop;
    end if;
  end if;
  owner_id := case when v_is_creator then c.fan_id else c.creator_id end;
  up_to := v_to;
  select array_agg(t.id) into ids from (select m.id from messages m where m.conversation_id = c.id and m.seq > v_from and m.seq <= v_to
    and m.is_from_creator <> v_is_creator order by m.seq desc limit p_max_ids) t;
  return next;
end $$;
