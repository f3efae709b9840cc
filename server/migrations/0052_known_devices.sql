-- Browsers that somebody has logged in from. Strangers who guess at an account use up their own attempts, not these.
create table known_devices (
  user_id uuid not null references users on delete cascade,
  token_hash bytea not null,
  seen_at timestamptz(3) not null,
  primary key (user_id, token_hash)
);
create index known_devices_by_age on known_devices (seen_at);
