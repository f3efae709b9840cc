-- The affiliate programme: who was brought in by whom, on whose sales commission is paid, and what became of it.

insert into ledger_kinds (kind, title, statement_type, debits, credits) values
  -- Of a sale given back after its commission had cleared: what is gone of it is owed, and kept of what clears next.
  ('commission_uncleared', 'Commission back to pending', 'other', '{liab:affiliate:%:available,asset:affiliate:%:receivable}', '{liab:affiliate:%:pending}'),
  ('commission_repayment', 'Kept for commission taken back', 'other', '{liab:affiliate:%:available}', '{asset:affiliate:%:receivable}');

-- What the platform pays of its fees.
select ledger_account('exp:affiliate');

-- On what somebody buys (a fan) or sells (a creator) within this time, an affiliate gets a part of the platform's fee.
create table sales_affiliates (
  user_id uuid primary key,
  affiliate_id uuid not null,
  pending_account_id bigint not null,
  basis_points int not null check (basis_points between 0 and 10000),
  from_at timestamptz(3) not null,
  until_at timestamptz(3) not null check (until_at > from_at)
);

-- One row a commission; its id is the ledger transaction's. No CHECKs, as for sales: sales_commission() alone writes here, and
-- ledger:check proves each row.
create table sales_commissions (
  id uuid primary key,
  sale_id uuid not null,
  affiliate_id uuid not null,
  -- The fan or the creator of the sale, whoever was brought in.
  referred_id uuid not null,
  fan_id uuid not null,
  side text not null generated always as (case when referred_id = fan_id then 'customer' else 'creator' end) virtual,
  basis_points int not null,
  cents bigint not null,
  created_at timestamptz(3) not null,
  clears_at timestamptz(3) not null,
  reversed_cents bigint not null default 0,
  -- Of the sale's gross, what a payment that was taken back left unpaid.
  unpaid_cents bigint not null default 0
);
create unique index sales_commissions_of_sale on sales_commissions (sale_id, referred_id);
create index sales_commissions_waiting on sales_commissions (affiliate_id, clears_at);
create index sales_commissions_of_referred on sales_commissions (referred_id, affiliate_id) include (cents, reversed_cents);
create index sales_commissions_of_fan on sales_commissions (fan_id, created_at);

-- The operator's terms. Who was approved before keeps theirs.
create table affiliate_settings (
  id boolean primary key default true check (id),
  creator_basis_points int not null default 500 check (creator_basis_points between 0 and 10000),
  customer_basis_points int not null default 500 check (customer_basis_points between 0 and 10000),
  months int not null default 12 check (months > 0),
  move_min_cents bigint not null default 100 check (move_min_cents > 0),
  move_fee_basis_points int not null default 0 check (move_fee_basis_points between 0 and 10000)
);
insert into affiliate_settings default values;

create table affiliate_codes (
  user_id uuid primary key references users on delete cascade,
  -- In capitals.
  code text not null unique,
  created_at timestamptz(3) not null
);

create table referrals (
  referred_id uuid primary key references users on delete cascade,
  affiliate_id uuid not null references users on delete restrict,
  referred_type text not null check (referred_type in ('customer', 'creator')),
  status text not null default 'invited' check (status in ('invited', 'underReview', 'approved')),
  invited_at timestamptz(3) not null,
  approved_at timestamptz(3),
  ends_at timestamptz(3),
  constraint referrals_others check (referred_id <> affiliate_id),
  constraint referrals_approved check ((status = 'approved') = (approved_at is not null) and (approved_at is null) = (ends_at is null))
);
create index referrals_of_affiliate on referrals (affiliate_id, invited_at, referred_id);

-- What an affiliate took of their earnings, and of which group's they were. Its id is that of the ledger's
-- transaction that moved it, or of its payout, whose states it has.
create table affiliate_claims (
  id uuid primary key,
  affiliate_id uuid not null references users on delete restrict,
  amount_cents bigint not null check (amount_cents > 0),
  customer_cents bigint not null check (customer_cents between 0 and amount_cents),
  fee_cents bigint not null check (fee_cents between 0 and amount_cents),
  created_at timestamptz(3) not null
);
create index affiliate_claims_of_affiliate on affiliate_claims (affiliate_id, created_at, id);

-- Which accounts a browser is known to: whoever signs up there by their own code is nobody they brought in.
create index known_devices_by_token on known_devices (token_hash);
