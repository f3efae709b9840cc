create or replace function chat_owns_media(p_fan uuid, p_holder uuid) returns boolean language sql stable as $$
  select exists (
    select from chat_purchases p
    join messages m on m.id = p.message_id
    join chat_attachments own on own.holder_id = coalesce(m.broadcast_id, m.id)
    cross join lateral entitlement(p_fan, m.sender_id, m.id, m.price_cents, 'shown', m.broadcast_id) e
    where p.fan_id = p_fan and p.revoked_at is null and e.source = 'purchase'
      and own.media_id in (select w.media_id from chat_attachments w where w.holder_id = p_holder and w.media_id is not null))
$$;
