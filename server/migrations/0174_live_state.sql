-- What the operator's live state shows beside what was there: faults of the last days by where they happened, and processes that are up.
create table request_faults (
  hour timestamptz(3) not null,
  -- The route's pattern, never an address that somebody typed.
  route text not null,
  code text not null,
  count int not null,
  last_at timestamptz(3) not null,
  -- The newest of what error pages call the reference.
  refs text[] not null,
  primary key (hour, route, code)
);

create table nodes (
  id uuid primary key,
  role text not null,
  version text not null,
  started_at timestamptz(3) not null,
  seen_at timestamptz(3) not null,
  memory_bytes bigint not null
);
