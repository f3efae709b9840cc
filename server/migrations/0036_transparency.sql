-- The log of the money (docs/decisions/0043): each row that may never change again gets a leaf in a Merkle tree, whose root
-- is signed and published.

-- Which transaction of the database wrote a row: by it what came since last time is found, whatever the order of commits.
-- In a bigint, because xid8 has no BRIN, and this costs the journal no search.
alter table ledger_transactions add column xid bigint not null default pg_current_xact_id()::text::bigint;
create index ledger_transactions_xid on ledger_transactions using brin (xid) with (pages_per_range = 32, autosummarize = on);
alter table deposits add column xid bigint not null default pg_current_xact_id()::text::bigint;
create index deposits_xid on deposits (xid);
alter table processor_events add column xid bigint not null default pg_current_xact_id()::text::bigint;
create index processor_events_xid on processor_events (xid);
-- Ids are in the order of time, so that the lines of some transactions of one time are found by few pages.
create index ledger_lines_transaction on ledger_lines using brin (transaction_id) with (pages_per_range = 32, autosummarize = on);

-- What a kind may move is in the log. Another rule is another kind; its words may change.
create trigger ledger_kinds_fixed before update of kind, fee_account, fee_account_id, is_once, debits, credits on ledger_kinds
  for each statement execute function ledger_refuse();

-- One row a leaf, in the order of the log. What is hashed is transparency_data() of the row with this salt.
create table transparency_leaves (
  position bigint primary key,
  -- transaction, order, event or kind: what row_id is the id of.
  type text not null,
  row_id uuid not null,
  salt bytea not null,
  hash bytea not null,
  unique (row_id, type)
);

-- The tree's hashes, 32 bytes each and 256 a tile at most (C2SP tlog-tiles). The last of a level grows.
create table transparency_tiles (
  level smallint not null,
  index bigint not null,
  hashes bytea not null,
  primary key (level, index)
);

-- What was signed: the first `size` leaves have the root that the note says.
create table transparency_checkpoints (
  size bigint primary key,
  note text not null,
  -- Rows written before it have their place, as far as this cluster of databases wrote them.
  watermark bigint not null,
  system_identifier text not null,
  made_at timestamptz(3) not null,
  -- Since when it lies in the other store too, and was proven from the first leaf.
  stored_at timestamptz(3),
  checked_at timestamptz(3)
);
create index transparency_checkpoints_unstored on transparency_checkpoints (size) where stored_at is null;

create function transparency_refuse() returns trigger language plpgsql as $$
begin
  raise exception '% is refused on %: the log only grows', tg_op, tg_table_name using errcode = 'insufficient_privilege';
end $$;
create trigger transparency_leaves_stay before update or delete or truncate on transparency_leaves for each statement execute function transparency_refuse();
create trigger transparency_checkpoints_stay before delete or truncate on transparency_checkpoints for each statement execute function transparency_refuse();
