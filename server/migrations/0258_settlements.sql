-- What the card processor paid out to us, as operators booked it: what came to the bank and what it kept, in one transaction.
insert into ledger_kinds (kind, title, statement_type, debits, credits) values
  -- What a kind may move has its place in the log and stays: `settlement` knows no fee of chargebacks.
  ('processor_settlement', 'Settlement of the processor', 'other', '{asset:bank:operating,exp:processor_fee,exp:chargeback_fee}',
    '{asset:processor:%:clearing}'),
  ('processor_settlement_return', 'Settlement taken back', 'other', '{asset:processor:%:clearing}',
    '{asset:bank:operating,exp:processor_fee,exp:chargeback_fee}');

create table processor_settlements (
  id uuid primary key,
  provider text not null,
  -- What the processor calls it.
  reference text not null,
  -- On which it came to the bank.
  day date not null,
  bank_cents bigint not null check (bank_cents >= 0),
  fee_cents bigint not null check (fee_cents >= 0),
  chargeback_fee_cents bigint not null check (chargeback_fee_cents >= 0),
  transaction_id uuid not null unique references ledger_transactions,
  operator_id uuid not null references users on delete restrict,
  at timestamptz(3) not null,
  -- One that was booked wrongly, and by what it was taken back.
  taken_back_id uuid unique references ledger_transactions,
  taken_back_by uuid references users on delete restrict,
  taken_back_at timestamptz(3),
  taken_back_ground text,
  -- By the transaction that wrote it, its place in the log that cannot be rewritten is found.
  xid bigint not null default pg_current_xact_id()::text::bigint,
  constraint processor_settlements_something check (bank_cents + fee_cents + chargeback_fee_cents > 0),
  constraint processor_settlements_taken_back check (num_nulls(taken_back_id, taken_back_by, taken_back_at, taken_back_ground) in (0, 4))
);
-- Told twice it is the same; taken back, its reference is free again.
create unique index processor_settlements_reference on processor_settlements (provider, reference) where taken_back_id is null;
create index processor_settlements_newest on processor_settlements (day desc, id desc);
create index processor_settlements_xid on processor_settlements using brin (xid) with (pages_per_range = 32, autosummarize = on);
