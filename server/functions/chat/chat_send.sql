-- Sends one message. Locks only the row of the conversation. refusal: 'none' the sender has no such partner or
-- conversation; 'gone', 'blocked', 'waiting', 'followers', 'subscribers' as in the contract; 'request' a request must be a single
-- text; 'requests' too many requests in a day; 'conflict' the client's id was used for another message. outcome:
-- 'sent', or 'replayed' with the existing message. p_author: the team member who wrote for the creator, otherwise null.
-- p_is_delivered: the caller emits the message to both sides right after the commit. The returned event is then due only
-- after five seconds, in case the process ends before that.
create or replace function chat_send(
  p_sender uuid, p_is_creator boolean, p_conversation uuid, p_other uuid, p_id uuid, p_client uuid, p_type text, p_text text, p_price bigint,
  p_view_once boolean, p_details jsonb, p_at timestamptz, p_requests int, p_max int, p_declined interval, p_is_delivered boolean, p_author uuid,
  out refusal text, out outcome text, out is_changed boolean, out message_id uuid, out conversation_id uuid, out other_id uuid, out seq bigint,
  out event_id bigint
) language plpgsql as $$
#variable_conflict use_column
declare
  c conversations; m messages; v_creator uuid; v_fan uuid; v_other_type text; v_is_gone boolean; v_rule text; v_begins boolean := false;
  v_state text; v_last_broadcast bigint; v_tier uuid;
begin
  is_changed := false;
  if p_conversation is not null then
    select * into c from conversations x where x.id = p_conversation for no key update;
    if c.id is null or p_sender <> (case when p_is_creator then c.creator_id else c.fan_id end) then refusal := 'none'; return; end if;
    v_creator := c.creator_id; v_fan := c.fan_id;
  else
    v_creator := case when p_is_creator then p_sender else p_other end;
    v_fan := case when p_is_creator then p_other else p_sender end;
    select * into c from conversations x where x.fan_id = v_fan and x.creator_id = v_creator for no key update;
  end if;
  other_id := case when p_is_creator then v_fan else v_creator end;

  select * into m from messages x where x.sender_id = p_sender and x.client_id = p_client and x.broadcast_id is null;
  if m.id is not null then
    if m.conversation_id is distinct from c.id or m.type <> p_type or m.price_cents <> p_price or (m.text <> p_text and m.unsent_at is null) then
      refusal := 'conflict';
    else
      outcome := 'replayed'; message_id := m.id; conversation_id := m.conversation_id; seq := m.seq;
    end if;
    return;
  end if;

  select u.type, u.is_blocked, r.chat_rule, r.chat_tier_id into v_other_type, v_is_gone, v_rule, v_tier
    from users u left join creators r on r.user_id = u.id where u.id = other_id;
  if v_other_type is distinct from (case when p_is_creator then 'customer' else 'creator' end) then refusal := 'none'; return; end if;
  if v_is_gone and p_details is null then refusal := case when c.id is null then 'none' else 'gone' end; return; end if;

  if c.id is null then
    if p_is_creator then
      -- A creator may write first only to fans who follow them or contacted them before.
      if not exists (select from follows f where f.fan_id = v_fan and f.creator_id = v_creator)
        and not exists (select from fan_creator_relations o where o.fan_id = v_fan and o.creator_id = v_creator) then refusal := 'none'; return; end if;
      v_state := 'open';
    else
      if v_rule in ('followers', 'open', 'subscribers') then v_state := 'open'; else v_state := 'requested'; end if;
      if v_rule = 'followers' and p_details is null and not exists (select from follows f where f.fan_id = v_fan and f.creator_id = v_creator) then
        refusal := 'followers'; return;
      end if;
      if v_rule = 'subscribers' and p_details is null
        and not exists (select from entitlement(v_fan, v_creator, coalesce(v_tier, v_creator), 1, 'shown', null) e where e.source is not null) then
        refusal := 'subscribers'; return;
      end if;
      if v_state = 'requested' and p_type not in ('text', 'tipInfo', 'videoCallInfo') then refusal := 'request'; return; end if;
      if p_details is null and (select count(*) from conversations x where x.fan_id = v_fan and x.created_at > p_at - interval '1 day' and x.creator_listed_at is not null) >= p_requests then
        refusal := 'requests'; return;
      end if;
    end if;
    insert into conversations as x (id, creator_id, fan_id, state, requested_at, created_at)
      values (uuidv7(), v_creator, v_fan, v_state, case when v_state = 'requested' then p_at end, p_at)
      on conflict (fan_id, creator_id) do nothing returning x.* into c;
    if c.id is null then
      select s.refusal, s.outcome, s.is_changed, s.message_id, s.conversation_id, s.other_id, s.seq, s.event_id
        into refusal, outcome, is_changed, message_id, conversation_id, other_id, seq, event_id
        from chat_send(p_sender, p_is_creator, null, p_other, p_id, p_client, p_type, p_text, p_price, p_view_once, p_details, p_at, p_requests, p_max, p_declined, p_is_delivered, p_author) s;
      return;
    end if;
    insert into fan_creator_relations (fan_id, creator_id, since) values (v_fan, v_creator, p_at) on conflict do nothing;
    is_changed := true;
  else
    v_state := c.state;
    -- Blocks and pending requests do not stop messages about payments.
    if p_details is null then
      if c.is_blocked_by_creator or c.is_blocked_by_fan then
        -- Without any messages, only the side that set the block learns of it. To the other side the partner does not
        -- exist.
        refusal := case when c.last_seq > 0 or (case when p_is_creator then c.is_blocked_by_creator else c.is_blocked_by_fan end)
          then 'blocked' else 'none' end;
        return;
      end if;
      if p_is_creator then
        v_state := 'open';
      elsif v_state = 'declined' then
        if p_at < c.declined_at + p_declined then refusal := 'waiting'; return; end if;
        if p_type <> 'text' then refusal := 'request'; return; end if;
        v_state := 'requested'; v_begins := true;
      elsif v_state = 'requested' then
        if p_type <> 'text' then refusal := 'request'; return; end if;
        if exists (select from messages x where x.conversation_id = c.id and not x.is_from_creator and x.type = 'text' and x.unsent_at is null
          and x.created_at >= c.requested_at) then refusal := 'waiting'; return; end if;
      end if;
      is_changed := v_state <> c.state or case when p_is_creator then c.creator_listed_at else c.fan_listed_at end is null;
    end if;
  end if;

  select b.last_seq into v_last_broadcast from broadcasters b where b.creator_id = v_creator;
  if v_last_broadcast > c.broadcast_seq then
    perform chat_deliver_broadcasts(v_creator, v_fan, p_max, p_at);
    select * into c from conversations x where x.id = c.id;
  end if;

  seq := c.last_seq + 1; conversation_id := c.id; message_id := p_id; outcome := 'sent';
  insert into messages (conversation_id, seq, id, sender_id, client_id, is_from_creator, type, text, price_cents, is_view_once, details, created_at, author_id)
    values (c.id, seq, p_id, p_sender, p_client, p_is_creator, p_type, p_text, p_price, p_view_once, p_details, p_at, p_author);
  update conversations x set last_seq = seq, state = v_state,
      requested_at = case when v_begins then p_at else x.requested_at end,
      declined_at = case when v_state = 'declined' then x.declined_at end,
      creator_listed_at = greatest(x.creator_listed_at, p_at), fan_listed_at = greatest(x.fan_listed_at, p_at),
      creator_unread = x.creator_unread + case when p_is_creator then 0 else 1 end,
      fan_unread = x.fan_unread + case when p_is_creator then 1 else 0 end
    where x.id = c.id;
  if not p_is_creator then
    update fan_creator_relations o set active_at = p_at where o.fan_id = v_fan and o.creator_id = v_creator
      and (o.active_at is null or o.active_at < p_at - interval '1 hour');
  end if;
  if v_state = 'requested' and p_type = 'text' then
    insert into outbox (type, payload) values ('chat.requested', jsonb_build_object('conversationId', c.id, 'creatorId', v_creator, 'fanId', v_fan));
  end if;
  insert into outbox as o (type, payload, not_before) values ('message.sent', jsonb_build_object('messageId', p_id, 'conversationId', c.id, 'creatorId', v_creator,
    'fanId', v_fan, 'isFromCreator', p_is_creator, 'messageType', p_type, 'isRequest', v_state = 'requested', 'isChanged', is_changed),
    case when p_is_delivered then now() + interval '5 seconds' else '-infinity' end) returning o.id into event_id;
end $$;
