create or replace function is_broadcast_recipient(b broadcasts, p_fan uuid) returns boolean language sql stable as $$
  select case b.audience
      when 'chosen' then p_fan = any (b.fan_ids)
      when 'buyers' then exists (select from fan_creator_relations o where o.fan_id = p_fan and o.creator_id = b.creator_id and o.bought_at <= b.sent_at)
      when 'active' then exists (select from fan_creator_relations o where o.fan_id = p_fan and o.creator_id = b.creator_id
        and o.since <= b.sent_at and o.active_at >= b.sent_at - interval '30 days')
      else case when b.audience in ('followers', 'notBought')
        then exists (select from follows f where f.fan_id = p_fan and f.creator_id = b.creator_id and f.created_at <= b.sent_at)
        else exists (select from broadcast_recipients r where r.broadcast_id = b.id and r.fan_id = p_fan) end
    end and not ((b.exclude_buyers or b.audience = 'notBought') and chat_owns_media(p_fan, b.id))
$$;
