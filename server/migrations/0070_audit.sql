-- What operators did, written in the transaction of the act: each row is chained to the one before, and none changes or goes.
create table audit_log (
  id uuid primary key,
  -- From 1 on without a gap; the trigger gives it, with both hashes.
  place bigint not null unique,
  at timestamptz(3) not null,
  -- Null: the command on the machine. It outlives the account.
  operator_id uuid,
  act text not null,
  subject_kind text not null,
  subject_id text not null,
  -- A flat object.
  facts jsonb not null default '{}' check (jsonb_typeof(facts) = 'object'),
  previous_hash bytea not null,
  hash bytea not null unique,
  xid bigint not null default pg_current_xact_id()::text::bigint
);
create index audit_log_of_subject on audit_log (subject_kind, subject_id, place);
create index audit_log_of_operator on audit_log (operator_id, place);

create function audit_hash(p_row audit_log) returns bytea language sql immutable as $$ select ''::bytea $$;
create function audit_chain() returns trigger language plpgsql as $$
begin
  raise exception 'replaced by its file';
end $$;
create trigger audit_chain before insert on audit_log for each row execute function audit_chain();
create function audit_stays() returns trigger language plpgsql as $$
begin
  raise exception 'replaced by its file';
end $$;
create trigger audit_stays before update or delete on audit_log for each row execute function audit_stays();
create trigger audit_whole before truncate on audit_log for each statement execute function audit_stays();
