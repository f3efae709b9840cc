-- What people are told of what happened (section I of the rows). The id is the event's that told it: the same event tells nobody
-- twice, and when it happened is the time in it. Without references, as it is written for many people at once.
create table notifications (
  user_id uuid not null,
  id uuid not null,
  kind text not null,
  -- Who did it, and what it is about.
  by_id uuid,
  subject_id uuid,
  cents bigint,
  note text not null default '',
  read_at timestamptz(3),
  primary key (user_id, id)
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05);
create index notifications_unread on notifications (user_id, id) where read_at is null;

-- When a creator's followers were last told that they came online, and by which event.
create table creators_online_told (
  creator_id uuid primary key references users on delete cascade,
  event_id uuid not null,
  told_at timestamptz(3) not null
);
