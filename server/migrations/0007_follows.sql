-- Who follows whom, the feed stored on write, and who looked at which profile.

create table follows (
  fan_id uuid not null references users on delete cascade,
  creator_id uuid not null references users on delete cascade,
  -- The creator has so many followers that their posts are merged into feeds when read.
  is_wide boolean not null default false,
  created_at timestamptz(3) not null default now(),
  primary key (fan_id, creator_id)
);
create index follows_of_creator on follows (creator_id, fan_id);
create index follows_wide on follows (fan_id, creator_id) where is_wide;

-- Creators whose posts are no longer copied to every follower. Once wide, always: what was not copied would be missing.
create table wide_creators (
  creator_id uuid primary key references users on delete cascade,
  since timestamptz(3) not null default now()
);

-- A fan's feed: one row for each post of the creators they follow. No references: it is made of them, batch by batch, and
-- every read joins the post itself.
create table timelines (
  fan_id uuid not null,
  post_id uuid not null,
  creator_id uuid not null,
  type text not null,
  primary key (fan_id, post_id)
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05);

-- One row a viewer, creator and day, so that looking again does not count; old days are thrown away.
create table profile_views (
  day date not null,
  creator_id uuid not null,
  viewer bytea not null,
  primary key (day, creator_id, viewer)
);
