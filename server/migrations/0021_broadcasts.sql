-- Broadcasts are stored once. A fan's message of one is made when the fan, or something in that conversation, next looks: the
-- conversation's broadcast_seq says up to where that was done.

create table broadcasts (
  id uuid primary key,
  creator_id uuid not null references users on delete cascade,
  -- In the order of commits: given out under the lock of the creator's row in broadcasters.
  seq bigint,
  client_id uuid not null,
  type text not null check (type in ('text', 'image', 'document', 'video', 'audio')),
  text text not null,
  price_cents bigint not null default 0 check (price_cents >= 0),
  is_view_once boolean not null default false,
  audience text not null check (audience in ('chosen', 'followers', 'buyers', 'active', 'notBought')),
  fan_ids uuid[] not null default '{}',
  exclude_buyers boolean not null default false,
  state text not null check (state in ('scheduled', 'sent', 'cancelled', 'unsent')),
  scheduled_at timestamptz(3),
  sent_at timestamptz(3),
  recipient_count bigint,
  created_at timestamptz(3) not null,
  unique (creator_id, client_id),
  check ((seq is null) = (sent_at is null))
);
create unique index broadcasts_sent on broadcasts (creator_id, seq) where seq is not null;
create index broadcasts_scheduled on broadcasts (creator_id, scheduled_at) where state = 'scheduled';

create table broadcasters (
  creator_id uuid primary key references users on delete cascade,
  last_seq bigint not null,
  last_at timestamptz(3) not null
);
create index broadcasters_lately on broadcasters (last_at);

-- Counted in several rows each, so that many fans who read at once do not wait for one.
create table broadcast_counts (
  broadcast_id uuid not null references broadcasts on delete cascade,
  shard smallint not null,
  delivered bigint not null default 0,
  read bigint not null default 0,
  purchased bigint not null default 0,
  earned_cents bigint not null default 0,
  primary key (broadcast_id, shard)
) with (fillfactor = 60);

-- Until when a fan's conversations were looked through for new broadcasts.
create table chat_catch_ups (
  fan_id uuid primary key references users on delete cascade,
  caught_up_at timestamptz(3) not null
);

create function broadcast_count(p_broadcast uuid, p_fan uuid, p_delivered int, p_read int, p_purchased int, p_earned bigint) returns void language sql as $$
  insert into broadcast_counts as n (broadcast_id, shard, delivered, read, purchased, earned_cents)
    values (p_broadcast, abs(hashtext(p_fan::text)) % 8, p_delivered, p_read, p_purchased, p_earned)
    on conflict (broadcast_id, shard) do update set delivered = n.delivered + excluded.delivered, read = n.read + excluded.read,
      purchased = n.purchased + excluded.purchased, earned_cents = n.earned_cents + excluded.earned_cents
$$;

-- Whether a fan owns one of the media of a message or broadcast, by any message that they bought.
create function chat_owns(p_fan uuid, p_holder uuid) returns boolean language sql stable as $$
  select exists (
    select from chat_purchases p
    join messages m on m.id = p.message_id
    join chat_attachments own on own.holder_id = coalesce(m.broadcast_id, m.id)
    where p.fan_id = p_fan and p.revoked_at is null
      and own.media_id in (select w.media_id from chat_attachments w where w.holder_id = p_holder and w.media_id is not null))
$$;

-- Whether a sent broadcast is for a fan, by what held when it was sent.
create function broadcast_is_for(b broadcasts, p_fan uuid) returns boolean language sql stable as $$
  select case b.audience
      when 'chosen' then p_fan = any (b.fan_ids)
      when 'buyers' then exists (select from chat_bonds o where o.fan_id = p_fan and o.creator_id = b.creator_id and o.bought_at <= b.sent_at)
      when 'active' then exists (select from chat_bonds o where o.fan_id = p_fan and o.creator_id = b.creator_id
        and o.since <= b.sent_at and o.active_at >= b.sent_at - interval '30 days')
      else exists (select from follows f where f.fan_id = p_fan and f.creator_id = b.creator_id and f.created_at <= b.sent_at)
    end and not ((b.exclude_buyers or b.audience = 'notBought') and chat_owns(p_fan, b.id))
$$;

-- Makes what is missing of a creator's broadcasts in a fan's conversation; at most the newest p_most. Answers the messages made.
create function chat_deliver(p_creator uuid, p_fan uuid, p_most int, p_at timestamptz) returns setof uuid language plpgsql as $$
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
      order by seq desc limit p_most) x
    where x.state = 'sent' and broadcast_is_for(x, p_fan) order by x.seq
  loop
    if not v_exists then
      insert into conversations (id, creator_id, fan_id, state, created_at) values (uuidv7(), p_creator, p_fan, 'open', p_at)
        on conflict (fan_id, creator_id) do nothing returning * into c;
      if c.id is null then
        -- Begun at the same moment by somebody else, who may have delivered already.
        return query select chat_deliver(p_creator, p_fan, p_most, p_at);
        return;
      end if;
      insert into chat_bonds (fan_id, creator_id, since) values (p_fan, p_creator, p_at) on conflict do nothing;
      v_exists := true;
    end if;
    v_count := v_count + 1;
    v_made := uuidv7();
    v_at := b.sent_at;
    insert into messages (conversation_id, seq, id, sender_id, client_id, is_from_creator, type, price_cents, is_view_once, broadcast_id, created_at)
      values (c.id, c.last_seq + v_count, v_made, p_creator, b.id, true, b.type, b.price_cents, b.is_view_once, b.id, b.sent_at);
    perform broadcast_count(b.id, p_fan, 1, 0, 0, 0);
    return next v_made;
  end loop;
  if v_exists then
    update conversations set broadcast_seq = v_last, last_seq = last_seq + v_count, fan_unread = fan_unread + v_count,
      fan_at = case when v_count > 0 then greatest(fan_at, v_at) else fan_at end where id = c.id;
  end if;
end $$;

-- Makes what is missing of everybody's broadcasts in a fan's conversations. Answers how many messages were made. When nobody
-- broadcast lately it costs two look-ups.
create function chat_catch_up(p_fan uuid, p_most int, p_at timestamptz) returns int language plpgsql as $$
declare
  v_since timestamptz; v_creator uuid; v_made int := 0; v_one int;
begin
  select caught_up_at into v_since from chat_catch_ups where fan_id = p_fan;
  for v_creator in
    -- Five minutes back: longer than a broadcast takes from its stamp to its commit, on whichever clock.
    select b.creator_id from broadcasters b
    where b.last_at > coalesce(v_since, '-infinity') - interval '5 minutes'
      and (exists (select from follows f where f.fan_id = p_fan and f.creator_id = b.creator_id)
        or exists (select from chat_bonds o where o.fan_id = p_fan and o.creator_id = b.creator_id))
      and not exists (select from conversations c where c.fan_id = p_fan and c.creator_id = b.creator_id and c.broadcast_seq >= b.last_seq)
    order by b.creator_id
  loop
    select count(*) into v_one from chat_deliver(v_creator, p_fan, p_most, p_at);
    v_made := v_made + v_one;
  end loop;
  if v_since is null or p_at - v_since > interval '10 minutes' then
    insert into chat_catch_ups (fan_id, caught_up_at) values (p_fan, p_at)
      on conflict (fan_id) do update set caught_up_at = greatest(chat_catch_ups.caught_up_at, excluded.caught_up_at);
  end if;
  return v_made;
end $$;
