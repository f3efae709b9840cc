-- The archive of what is a person's own: one each at most, and its file goes when it has expired.
create table archives (
  user_id uuid primary key references users on delete cascade,
  -- Names its file; another one when it is made anew.
  id uuid not null,
  asked_at timestamptz(3) not null,
  ready_at timestamptz(3),
  failed_at timestamptz(3),
  byte_size bigint,
  expires_at timestamptz(3),
  -- The session that proved itself again, and until when it may download it.
  opened_by uuid,
  opened_until timestamptz(3),
  constraint archives_ready check ((ready_at is null) = (byte_size is null) and (ready_at is null) = (expires_at is null)),
  constraint archives_opened check ((opened_by is null) = (opened_until is null))
);
create index archives_expiring on archives (expires_at) where expires_at is not null;
