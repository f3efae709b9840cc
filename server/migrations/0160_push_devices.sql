-- A device of Safari's older website push has no keys: its endpoint at Apple is its token. When a device was last told something says
-- which of many is silent.
alter table push_devices
  alter column p256dh drop not null,
  alter column auth drop not null,
  add column told_at timestamptz(3),
  add constraint push_devices_keys check ((p256dh is null) = (auth is null));

-- Devices that their person removed from elsewhere: what their browser asks by itself does not bring them back.
create table push_devices_removed (
  user_id uuid not null references users on delete cascade,
  endpoint_hash bytea not null,
  removed_at timestamptz(3) not null,
  primary key (user_id, endpoint_hash)
);
