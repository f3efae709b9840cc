-- Posts before they are public. A draft with a time is scheduled: a job of that time publishes it.

create table drafts (
  id uuid primary key,
  creator_id uuid not null references users on delete cascade,
  -- Counts changes, so that of two who change the same one the second is told.
  version int not null default 1,
  caption text not null default '' check (length(caption) <= 4000),
  price_cents bigint not null default 0 check (price_cents >= 0),
  tags text[] not null default '{}',
  -- In the order shown; who is gone meanwhile is not shown.
  people uuid[] not null default '{}',
  scheduled_at timestamptz(3),
  -- Why it could not be published when its time came.
  failure text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  check (scheduled_at is null or failure is null)
);
create index drafts_of_creator on drafts (creator_id, updated_at desc, id desc) where scheduled_at is null;
create index drafts_scheduled on drafts (creator_id, scheduled_at, id) where scheduled_at is not null;

create table draft_media (
  draft_id uuid not null references drafts on delete cascade,
  position smallint not null check (position >= 0),
  media_id uuid not null references media on delete cascade,
  alt text not null default '' check (length(alt) <= 500),
  primary key (draft_id, position),
  unique (draft_id, media_id)
);
create index draft_media_of_media on draft_media (media_id);
