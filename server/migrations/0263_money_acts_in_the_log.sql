-- What operators let go of has its place in the log that cannot be rewritten: found by the transaction that wrote it.
alter table money_acts add column xid bigint not null default pg_current_xact_id()::text::bigint;
create index money_acts_xid on money_acts using brin (xid) with (pages_per_range = 32, autosummarize = on);
