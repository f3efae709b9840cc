-- A verified creator carries the tick with the name that was reviewed, and with no other.
alter table creators add column verified_name text;
update creators c set verified_name = u.name from users u where u.id = c.user_id and c.is_verified;
alter table creators add constraint creators_verified_name check (not is_verified or verified_name is not null);
create index creators_verified on creators (user_id) where verified_name is not null;

-- Names that verified creators gave themselves: each waits until an operator has looked, or its creator took another.
create table name_reviews (
  id uuid primary key,
  creator_id uuid not null references users on delete cascade,
  name text not null,
  -- What it takes the place of.
  verified_name text not null,
  asked_at timestamptz(3) not null,
  decision text check (decision in ('approved', 'declined', 'withdrawn')),
  ground text not null default '',
  decided_at timestamptz(3),
  constraint name_reviews_decided check ((decision is null) = (decided_at is null))
);
create unique index name_reviews_waiting on name_reviews (creator_id) where decision is null;
create index name_reviews_of_creator on name_reviews (creator_id, id);
