-- What somebody wishes to be told otherwise than by default (row I2).
create table notification_preferences (
  user_id uuid not null references users on delete cascade,
  key text not null,
  push boolean not null,
  email boolean not null,
  in_app boolean not null,
  primary key (user_id, key)
);
create index notification_preferences_by_mail on notification_preferences (user_id) where email;

-- When somebody was last sent by mail what they missed.
create table notification_digests (
  user_id uuid primary key references users on delete cascade,
  sent_at timestamptz(3) not null
);

-- Of what is not wished in the app, and still by mail.
alter table notifications add is_listed boolean not null default true;
