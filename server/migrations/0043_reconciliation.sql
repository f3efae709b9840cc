-- What comparing the books found (docs/decisions/0045): runs, differences, explanations; and what the comparisons stand on.

-- One row a comparison that was made. Those of a day that could not be made are one row.
create table ledger_runs (
  id uuid primary key default uuidv7(),
  comparison text not null,
  -- The day that it was due on.
  day date not null,
  -- Of everything that there is, or only of what came lately.
  is_full boolean not null,
  tries int not null default 1,
  started_at timestamptz(3) not null,
  ended_at timestamptz(3) not null,
  -- undone: it could not be made, or not wholly; `detail` says why.
  outcome text not null check (outcome in ('clean', 'different', 'undone')),
  detail text,
  -- How many things were looked at.
  looked_at bigint not null,
  -- Of the sums: what transactions before this one wrote was proven, as far as this cluster of databases wrote it.
  watermark bigint,
  system_identifier text
);
create unique index ledger_runs_undone on ledger_runs (comparison, day) where outcome = 'undone';
create index ledger_runs_latest on ledger_runs (comparison, id desc);

-- What does not agree. The same thing is the same row from day to day, until it is gone (`resolved_at`).
create table ledger_differences (
  id uuid primary key default uuidv7(),
  comparison text not null,
  kind text not null,
  -- What it is about.
  key text not null,
  -- When that came about; null when it is of no one time.
  about_at timestamptz(3),
  theirs_cents bigint,
  ours_cents bigint,
  -- Ids and examples, for people.
  facts jsonb not null,
  opened_at timestamptz(3) not null,
  seen_at timestamptz(3) not null,
  -- By a person, and only as long as it stays as it was then.
  explained_at timestamptz(3),
  resolved_at timestamptz(3)
);
create unique index ledger_differences_once on ledger_differences (comparison, kind, key) where resolved_at is null;

-- Who explained a difference, when and how.
create table ledger_explanations (
  id uuid primary key default uuidv7(),
  difference_id uuid not null references ledger_differences on delete restrict,
  -- Null: by the command, on the machine.
  actor_id uuid,
  ground text not null,
  explained_at timestamptz(3) not null
);
create index ledger_explanations_of on ledger_explanations (difference_id);
create trigger ledger_explanations_immutable before update or delete or truncate on ledger_explanations for each statement execute function ledger_refuse();

-- The sum of each account's entries up to the watermark of the last proof, on the account's normal side.
create table ledger_proven (
  account_id bigint primary key references ledger_accounts on delete restrict,
  cents bigint not null
);

create or replace view ledger_entries as
  select t.id as transaction_id, l.leg::int as leg, l.account_id, case when l.amount > 0 then 'D' else 'C' end as side, abs(l.amount) as amount_cents,
    t.kind, t.occurred_at, t.xid
  from ledger_transactions t, unnest(t.account_ids, t.amounts::bigint[]) with ordinality as l (account_id, amount, leg) where l.amount <> 0;

-- What the processor exported, day by day of its own calendar, as last asked. Nothing of who paid.
create table processor_export_days (
  provider text not null,
  day date not null,
  asked_at timestamptz(3) not null,
  -- When its rows were last seen to be others.
  changed_at timestamptz(3) not null,
  primary key (provider, day)
);
create table processor_exports (
  provider text not null,
  day date not null,
  line int not null,
  -- As the processor calls it; null for a row that could not be read.
  type text,
  subscription_id text,
  amount_cents bigint,
  primary key (provider, day, line),
  foreign key (provider, day) references processor_export_days on delete restrict
);
create index processor_exports_unreadable on processor_exports (provider, day) where type is null;
create index processor_exports_of on processor_exports (provider, subscription_id);
create index processor_events_settled on processor_events (processed_at) where state = 'processed' and deposit_id is not null;
