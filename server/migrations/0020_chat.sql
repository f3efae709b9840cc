-- Chat between a creator and a fan: one row a pair, one row a message, watermarks instead of a status on every message.

alter table creators add column chat_rule text not null default 'request' check (chat_rule in ('open', 'request', 'followers'));

-- Everything that is each side's own stands here twice. seq numbers the messages of a conversation; what a side has received, read
-- or cleared away is "up to that seq". creator_at and fan_at order the lists; null is: not in that side's list.
create table conversations (
  id uuid primary key,
  creator_id uuid not null references users on delete cascade,
  fan_id uuid not null references users on delete cascade,
  state text not null check (state in ('open', 'requested', 'declined')),
  requested_at timestamptz(3),
  declined_at timestamptz(3),
  is_blocked_by_creator boolean not null default false,
  is_blocked_by_fan boolean not null default false,
  is_muted_by_creator boolean not null default false,
  is_muted_by_fan boolean not null default false,
  creator_note text not null default '',
  fan_note text not null default '',
  last_seq bigint not null default 0,
  creator_at timestamptz(3),
  fan_at timestamptz(3),
  creator_unread int not null default 0 check (creator_unread >= 0),
  fan_unread int not null default 0 check (fan_unread >= 0),
  creator_delivered_seq bigint not null default 0,
  fan_delivered_seq bigint not null default 0,
  creator_read_seq bigint not null default 0,
  fan_read_seq bigint not null default 0,
  creator_cleared_seq bigint not null default 0,
  fan_cleared_seq bigint not null default 0,
  -- Up to which of the creator's broadcasts this conversation has what is meant for the fan.
  broadcast_seq bigint not null default 0,
  created_at timestamptz(3) not null,
  unique (fan_id, creator_id)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
create index conversations_of_creator on conversations (creator_id, creator_at desc, id desc) where state = 'open' and creator_at is not null;
create index conversations_of_fan on conversations (fan_id, fan_at desc, id desc) where fan_at is not null;
create index conversations_unread_of_creator on conversations (creator_id, creator_at desc, id desc)
  where state = 'open' and creator_at is not null and creator_unread > 0;
create index conversations_unread_of_fan on conversations (fan_id, fan_at desc, id desc) where fan_at is not null and fan_unread > 0;
create index conversations_requests on conversations (creator_id, creator_at desc, id desc) where state = 'requested' and creator_at is not null;

create table messages (
  conversation_id uuid not null references conversations on delete cascade,
  seq bigint not null,
  id uuid not null unique,
  sender_id uuid not null,
  -- The sender's device made it; of a broadcast's message, the broadcast.
  client_id uuid not null,
  is_from_creator boolean not null,
  type text not null check (type in ('text', 'image', 'document', 'video', 'audio', 'tipInfo', 'videoCallInfo')),
  text text not null default '',
  price_cents bigint not null default 0 check (price_cents >= 0),
  is_view_once boolean not null default false,
  -- Text and files are the broadcast's, stored once.
  broadcast_id uuid,
  -- Of a tip or a call.
  details jsonb,
  created_at timestamptz(3) not null,
  purchased_at timestamptz(3),
  viewed_at timestamptz(3),
  -- A view-once one: until when its files answer, and since when they are gone.
  viewable_until timestamptz(3),
  removed_at timestamptz(3),
  unsent_at timestamptz(3),
  is_hidden_from_creator boolean not null default false,
  is_hidden_from_fan boolean not null default false,
  primary key (conversation_id, seq)
);
create unique index messages_sent_once on messages (sender_id, client_id) where broadcast_id is null;
create index messages_with_files on messages (conversation_id, type, seq desc) where type in ('image', 'video', 'audio', 'document');
create index messages_of_broadcast on messages (broadcast_id, conversation_id) where broadcast_id is not null;

-- Documents and voice notes, kept as they came.
create table chat_files (
  id uuid primary key,
  owner_id uuid not null references users on delete cascade,
  kind text not null check (kind in ('document', 'audio')),
  file_name text not null,
  content_type text not null,
  byte_size bigint not null check (byte_size > 0),
  duration_seconds double precision,
  waveform real[] not null default '{}',
  created_at timestamptz(3) not null
);

-- The files of a message or of a broadcast, in order.
create table chat_attachments (
  holder_id uuid not null,
  position smallint not null,
  media_id uuid references media on delete cascade,
  file_id uuid references chat_files on delete cascade,
  primary key (holder_id, position),
  check (num_nonnulls(media_id, file_id) = 1)
);
create index chat_attachments_of_media on chat_attachments (media_id) where media_id is not null;
create index chat_attachments_of_file on chat_attachments (file_id) where file_id is not null;

create table chat_purchases (
  transaction_id uuid primary key,
  fan_id uuid not null references users on delete cascade,
  creator_id uuid not null,
  message_id uuid not null,
  type text not null,
  price_cents bigint not null,
  net_cents bigint not null,
  purchased_at timestamptz(3) not null,
  hidden_at timestamptz(3),
  revoked_at timestamptz(3)
);
create unique index chat_purchases_once on chat_purchases (fan_id, message_id) where revoked_at is null;
create index chat_purchases_shown on chat_purchases (fan_id, transaction_id desc) where hidden_at is null and revoked_at is null;

-- What a fan has had to do with a creator: whom a broadcast may reach besides followers.
create table chat_bonds (
  fan_id uuid not null references users on delete cascade,
  creator_id uuid not null references users on delete cascade,
  since timestamptz(3) not null,
  bought_at timestamptz(3),
  active_at timestamptz(3),
  primary key (fan_id, creator_id)
);
create index chat_bonds_buyers on chat_bonds (creator_id, bought_at) where bought_at is not null;
create index chat_bonds_active on chat_bonds (creator_id, active_at) where active_at is not null;

insert into chat_bonds (fan_id, creator_id, since, bought_at, active_at)
  select s.fan_id, s.creator_id, min(s.created_at), min(s.created_at), max(s.created_at)
  from sales s join users f on f.id = s.fan_id join users c on c.id = s.creator_id group by s.fan_id, s.creator_id;
insert into chat_bonds (fan_id, creator_id, since, active_at)
  select f.fan_id, f.creator_id, f.created_at, f.created_at from follows f
  on conflict (fan_id, creator_id) do update set since = least(chat_bonds.since, excluded.since), active_at = greatest(chat_bonds.active_at, excluded.active_at);
