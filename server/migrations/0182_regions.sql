-- Where a creator is not to be seen: a country (DE) or a state in one (US-TX).
create table region_blocks (
  creator_id uuid not null references users on delete cascade,
  code text not null check (code ~ '^[A-Z]{2}(-[A-Z0-9]{1,3})?$'),
  primary key (creator_id, code)
);
-- How many requests were turned away for it, by the day; nothing of who asked.
create table region_refusals (
  creator_id uuid not null,
  code text not null,
  day date not null,
  count bigint not null check (count > 0),
  primary key (creator_id, code, day)
);
create index region_refusals_by_day on region_refusals (day);
