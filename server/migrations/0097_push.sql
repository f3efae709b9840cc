-- Push: devices that are told while no page is open (row I3). Each is of one session and goes with it.
create table push_devices (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  session_id uuid not null references sessions on delete cascade,
  endpoint text not null unique,
  p256dh text not null,
  auth text not null,
  subscribed_at timestamptz(3) not null
);
create index push_devices_of_user on push_devices (user_id, subscribed_at desc);
create index push_devices_of_session on push_devices (session_id);

-- What a device is pushed: once for an event, which is what the key says. Due while neither begun nor with an outcome; one that was
-- begun and got none was cut off, and whether it arrived is not to be known: it is not sent again.
create table pushes (
  device_id uuid not null references push_devices on delete cascade,
  event_id uuid not null,
  user_id uuid not null,
  kind text not null,
  tag text not null,
  -- 0 goes before 1, in a job of its own.
  rank smallint not null,
  by_id uuid,
  subject_id uuid,
  cents bigint,
  note text not null default '',
  created_at timestamptz(3) not null,
  not_before timestamptz(3) not null,
  attempts int not null default 0,
  begun_at timestamptz(3),
  outcome text,
  primary key (device_id, event_id)
);
create index pushes_due on pushes (rank, not_before) where begun_at is null and outcome is null;
create index pushes_of_user on pushes (user_id, created_at);
create index pushes_old on pushes (created_at);

-- When somebody is not pushed, how often at most, how much it says; by default there is no row.
create table push_settings (
  user_id uuid primary key references users on delete cascade,
  quiet_from text,
  quiet_until text,
  time_zone text not null,
  pushes_per_hour int not null,
  is_discreet boolean not null
);

-- Creators of whom a fan is not pushed.
create table bells_off (
  fan_id uuid not null references users on delete cascade,
  creator_id uuid not null references users on delete cascade,
  primary key (fan_id, creator_id)
);
