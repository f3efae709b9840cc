-- Payouts: where people are paid, what they asked for, and what became of it.

-- What comes back to somebody who owes by then goes there first.
insert into ledger_kinds (kind, title, statement_type, debits, credits) values
  ('earnings_kept', 'Kept for what you owed', 'other', '{liab:creator:%:available}', '{asset:creator:%:receivable}');

create table payout_settings (
  id boolean primary key default true check (id),
  minimum_cents bigint not null default 2000 check (minimum_cents > 0),
  crypto_minimum_cents bigint not null default 5000 check (crypto_minimum_cents > 0),
  referrals_minimum_cents bigint not null default 5000 check (referrals_minimum_cents > 0),
  referrals_fee_basis_points int not null default 200 check (referrals_fee_basis_points between 0 and 9999),
  cooling_hours int not null default 72 check (cooling_hours >= 0),
  -- Above it a second operator approves.
  second_approver_cents bigint not null default 100000 check (second_approver_cents >= 0)
);
insert into payout_settings default values;

-- A row never changes what it leads to: who replaces a method has another, and requests keep theirs.
create table payout_methods (
  id uuid primary key,
  user_id uuid not null references users on delete restrict,
  kind text not null check (kind in ('ach', 'paypal', 'crypto')),
  -- How it is sent: wire is ach abroad.
  rail text not null check (rail in ('ach', 'wire', 'paypal', 'crypto')),
  -- The details under the key of the configuration.
  sealed bytea not null,
  -- What its owner recognises it by.
  words text not null,
  network text,
  created_at timestamptz(3) not null,
  usable_at timestamptz(3) not null,
  removed_at timestamptz(3),
  invalid_at timestamptz(3),
  invalid_code text,
  constraint payout_methods_rail check ((kind = 'ach') = (rail in ('ach', 'wire')) and (kind = 'ach' or kind = rail)),
  constraint payout_methods_network check ((kind = 'crypto') = (network is not null))
);
create index payout_methods_of_user on payout_methods (user_id, id) where removed_at is null;

-- Sums, method and person never change; how far it is does.
create table payouts (
  id uuid primary key,
  user_id uuid not null references users on delete restrict,
  source text not null check (source in ('earnings', 'referrals')),
  amount_cents bigint not null check (amount_cents > 0),
  fee_cents bigint not null check (fee_cents >= 0 and fee_cents < amount_cents),
  method_id uuid not null references payout_methods on delete restrict,
  is_automatic boolean not null default false,
  -- What reserved the money.
  transaction_id uuid not null unique,
  status text not null check (status in ('requested', 'approved', 'rejected', 'transfered', 'inreview', 'cancel')),
  transfer text check (transfer in ('pending', 'processed', 'cancelled', 'failed')),
  reason text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  xid bigint not null default pg_current_xact_id()::text::bigint,
  constraint payouts_transfer check (case status
    when 'approved' then transfer = 'pending' when 'transfered' then transfer = 'processed'
    when 'rejected' then transfer is null or transfer in ('cancelled', 'failed') else transfer is null end)
);
create index payouts_of_user on payouts (user_id, source, updated_at desc, id desc);
create index payouts_by_status on payouts (status, updated_at desc, id desc);
create index payouts_to_method on payouts (method_id) where status in ('requested', 'inreview', 'approved');

-- What happened to each, in order.
create table payout_moments (
  payout_id uuid not null references payouts on delete restrict,
  n bigint generated always as identity,
  at timestamptz(3) not null,
  moment text not null check (moment in ('requested', 'inreview', 'approved', 'rejected', 'cancelled', 'sent', 'broadcast', 'confirming',
    'unknown', 'paid', 'failed', 'returned', 'withdrawn')),
  -- Which operator, or the person themselves; null: by rule.
  by_id uuid,
  ground text not null default '',
  -- What moved money with it.
  transaction_id uuid,
  primary key (payout_id, n)
);
