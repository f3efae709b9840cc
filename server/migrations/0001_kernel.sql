-- The kernel's own tables: the outbox of events told after a commit, the receipts of reactions that ran, development mail.

create extension if not exists citext;
create extension if not exists pg_trgm;
create extension if not exists unaccent;

-- Events in the order of their commits' identities; a row goes when every reaction to it has run.
create table outbox (
  id bigint generated always as identity primary key,
  event_id uuid not null default uuidv7(),
  type text not null,
  payload jsonb not null,
  attempts int not null default 0,
  not_before timestamptz(3) not null default '-infinity',
  failure text,
  created_at timestamptz(3) not null default now()
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

-- Which reaction ran for which event: what makes an event told twice harmless.
create table reactions_done (
  event_id uuid not null,
  reaction text not null,
  done_at timestamptz(3) not null default now(),
  primary key (event_id, reaction)
);

-- Answers of idempotent calls that move no money (those that do keep theirs in the ledger).
create table operations (
  actor_id uuid not null,
  operation_id uuid not null,
  request_hash bytea not null,
  subject_id uuid,
  created_at timestamptz(3) not null default now(),
  primary key (actor_id, operation_id)
);

create table development_mail (
  id uuid primary key default uuidv7(),
  recipient citext not null,
  subject text not null,
  body text not null,
  created_at timestamptz(3) not null default now()
);
create index development_mail_recipient on development_mail (recipient, id desc);

-- Operator settings marked in the decisions; a missing row means the default of the contract.
create table settings (
  key text primary key,
  value jsonb not null,
  updated_at timestamptz(3) not null default now()
);

-- Whether two texts match when accents and case are put aside; immutable, so that indexes may use it.
create function plain(text) returns text language sql immutable strict parallel safe
  return lower(public.unaccent('public.unaccent', $1));
