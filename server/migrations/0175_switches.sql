-- What operators have stopped. Who turned what, when and why is in the audit log; here is how it stands.
create table switches (
  name text primary key,
  is_stopped boolean not null,
  -- What people are told while it is stopped; empty: the usual words.
  words text not null check (length(words) <= 300),
  changed_at timestamptz(3) not null
);
