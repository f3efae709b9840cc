-- What operators did, and what was requested, in the log that cannot be rewritten: found by the transaction that wrote it.
create index audit_log_xid on audit_log using brin (xid) with (pages_per_range = 32, autosummarize = on);
create index payouts_xid on payouts using brin (xid) with (pages_per_range = 32, autosummarize = on);
