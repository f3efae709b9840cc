-- What is done to an account besides blocking it for good: a block that ends, and what it may not do for a time.
alter table users
  add column blocked_until timestamptz(3),
  -- What its person is told of it at the log-in.
  add column blocked_words text not null default '',
  -- {"chat": "2026-12-05T10:00:00.000Z"}: until when it may not.
  add column limited jsonb;
create index users_limited on users (id) where limited is not null;
create index users_blocked_until on users (blocked_until) where blocked_until is not null;
-- Sessions carry what they may not: other processes hear of it.
create trigger users_tell_limited after update of limited on users for each row
  when (old.limited is distinct from new.limited) execute function users_tell_blocked();

-- Taken out of sight by an operator: such a post's files do not go back to its creator, and it comes back if that was wrong.
alter table posts add column hidden_at timestamptz(3);
alter table messages add column withheld_at timestamptz(3);
-- Nobody loads its files, its owner neither.
alter table media add column withheld_at timestamptz(3);
-- SHA-256 of what was uploaded, by which identical copies are known; nothing of what came before this was kept.
alter table media add column content_hash bytea;
create index media_same on media (content_hash) where content_hash is not null;
