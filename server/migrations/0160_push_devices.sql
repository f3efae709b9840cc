-- A device of Safari's older website push has no keys: its endpoint at Apple is its token. When a device was last told something says
-- which of many is silent.
alter table push_devices
  alter column p256dh drop not null,
  alter column auth drop not null,
  add column told_at timestamptz(3),
  add constraint push_devices_keys check ((p256dh is null) = (auth is null));
