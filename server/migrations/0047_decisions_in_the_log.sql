-- What people decide about money has its leaf in the log too: on posts of the processor, on debts, and what explains a difference.
alter table processor_decisions add column xid bigint not null default pg_current_xact_id()::text::bigint;
create index processor_decisions_xid on processor_decisions (xid);
alter table debt_decisions add column xid bigint not null default pg_current_xact_id()::text::bigint;
create index debt_decisions_xid on debt_decisions (xid);
alter table ledger_explanations add column xid bigint not null default pg_current_xact_id()::text::bigint;
create index ledger_explanations_xid on ledger_explanations (xid);

-- Checkpoints are thinned: one goes when it is a month older than the newest, and a later one of its day stays.
drop trigger transparency_checkpoints_stay on transparency_checkpoints;
create trigger transparency_checkpoints_stay before truncate on transparency_checkpoints for each statement execute function transparency_refuse();
create function transparency_thin() returns trigger language plpgsql as $$
begin
  raise exception 'replaced by its file';
end $$;
create trigger transparency_checkpoints_thinned before delete on transparency_checkpoints for each row execute function transparency_thin();
