-- Accounts that are to be closed, and those that were. One row a person; it stays, as what remains of them is known by it.
create table closings (
  user_id uuid primary key references users on delete cascade,
  asked_at timestamptz(3) not null,
  -- From when on it is done, unless the person logs in before.
  due_at timestamptz(3) not null,
  begun_at timestamptz(3),
  closed_at timestamptz(3)
);
create index closings_due on closings (due_at) where closed_at is null;

-- is_blocked by the person's own wish to close, and not by an operator: a log-in takes that back.
alter table users add column is_closing boolean not null default false;

-- Names of closed accounts, which nobody takes for a year. Only their hash is kept.
create table retired_names (
  name_hash bytea primary key,
  until timestamptz(3) not null
);
create index retired_names_until on retired_names (until);
