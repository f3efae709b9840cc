-- Entitlements: whether something is open for somebody, and by what right.

-- Rights that nobody paid a sale for: a gift of one thing, a subscription to everything of a creator.
create table entitlement_grants (
  fan_id uuid not null references users on delete cascade,
  -- A post, a message, or a whole that others are parts of: a broadcast, a creator.
  subject_id uuid not null,
  source text not null check (source in ('gift', 'subscription')),
  granted_by uuid not null,
  -- Null: without end.
  until timestamptz(3),
  revoked_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (fan_id, subject_id, source)
);

-- By what right p_viewer (null: nobody) has p_subject: 'own', 'free', 'purchase', 'gift', 'subscription', or null: it is locked.
-- p_standing says how it stands: 'shown'; 'withdrawn', to its owner and to those who paid for it alone; 'shut', to its owner
-- alone. A grant of p_whole, of which it is a part, opens it too.
--
-- One row, to be joined laterally: so it becomes part of the statement, as a function that answers a value would not. What is
-- one's own or free asks no table. Values and not EXISTS, which is dearer to begin.
create function entitlement(p_viewer uuid, p_owner uuid, p_subject uuid, p_price bigint, p_standing text, p_whole uuid)
returns table (source text) language sql stable as $$
  select case
    when p_viewer = p_owner then 'own'
    when p_standing = 'shut' then null
    when p_price = 0 and p_standing = 'shown' then 'free'
    else coalesce(
      (select 'purchase' from sales_owned o where o.fan_id = p_viewer and o.subject_id = p_subject),
      case when p_standing = 'shown' then (
        select min(g.source) from entitlement_grants g
        where g.fan_id = p_viewer and g.subject_id in (p_subject, p_whole) and g.revoked_at is null and (g.until is null or g.until > now())) end)
  end
$$;

-- Whether a fan owns one of the media of a message or broadcast, by any message that they bought.
create or replace function chat_owns(p_fan uuid, p_holder uuid) returns boolean language sql stable as $$
  select exists (
    select from chat_purchases p
    join messages m on m.id = p.message_id
    join chat_attachments own on own.holder_id = coalesce(m.broadcast_id, m.id)
    cross join lateral entitlement(p_fan, m.sender_id, m.id, m.price_cents, 'shown', m.broadcast_id) e
    where p.fan_id = p_fan and p.revoked_at is null and e.source = 'purchase'
      and own.media_id in (select w.media_id from chat_attachments w where w.holder_id = p_holder and w.media_id is not null))
$$;
