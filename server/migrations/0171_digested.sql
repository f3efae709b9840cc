-- When a thing was in somebody's digest: it is in one, and what is written late is in the next.
alter table notifications add column digested_at timestamptz(3);
