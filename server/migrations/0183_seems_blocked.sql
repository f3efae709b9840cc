-- Since when two are apart: who seems to be somebody blocked is looked for among accounts that were made later.
alter table blocks add column since timestamptz(3) not null default now();
alter table blocks alter column since drop default;
-- Browsers that an account was logged in from, as keyed hashes: nothing but whether two accounts share one can be told from them.
create table browser_signals (
  user_id uuid not null references users on delete cascade,
  mac bytea not null,
  seen_at timestamptz(3) not null,
  primary key (user_id, mac)
);
create index browser_signals_by_mac on browser_signals (mac);
create index browser_signals_by_time on browser_signals (seen_at);
