-- Payouts on their way: who approved them, what they are sent with, and what is requested by rule.

create table payout_approvals (
  payout_id uuid not null references payouts on delete restrict,
  operator_id uuid not null,
  at timestamptz(3) not null,
  primary key (payout_id, operator_id)
);

-- What is sent together: a file for the bank, a call of PayPal, a list for a person.
create table payout_batches (
  id uuid primary key,
  rail text not null check (rail in ('ach', 'wire', 'paypal', 'crypto')),
  -- ready: handed over for a person to send; sending: the service is asked; unknown: nobody knows whether it heard; sent; refused.
  state text not null check (state in ('ready', 'sending', 'unknown', 'sent', 'refused')),
  created_by uuid not null,
  created_at timestamptz(3) not null,
  file_name text,
  -- The file as it is, under the key of the configuration.
  sealed bytea,
  -- What the service calls it.
  provider_ref text,
  detail text,
  tried_at timestamptz(3)
);
create index payout_batches_open on payout_batches (id) where rail = 'paypal' and state in ('sending', 'unknown', 'sent');

alter table payouts
  -- By which people find it: PO-000001.
  add column number bigint generated always as identity,
  add column batch_id uuid references payout_batches,
  -- What put its money on the way, and what told that it arrived.
  add column sent_id uuid,
  add column paid_id uuid,
  -- What it is called where it was sent: PayPal's item, the chain's transaction.
  add column reference text,
  add constraint payouts_number unique (number),
  add constraint payouts_sent check ((batch_id is null) = (sent_id is null) and (paid_id is null or sent_id is not null));
create index payouts_of_batch on payouts (batch_id, number);

alter table payout_moments drop constraint payout_moments_moment_check;
alter table payout_moments add constraint payout_moments_moment_check check (moment in ('requested', 'inreview', 'approved', 'rejected',
  'cancelled', 'queued', 'sent', 'broadcast', 'confirming', 'unknown', 'paid', 'failed', 'returned'));

-- What is requested by itself: all that is available, every week, month or year, or as soon as it is above a sum.
create table payout_rules (
  user_id uuid not null references users on delete cascade,
  source text not null check (source in ('earnings', 'referrals')),
  method_id uuid not null references payout_methods on delete restrict,
  recurrence text check (recurrence in ('weekly', 'monthaly', 'yearly')),
  above_cents bigint check (above_cents > 0),
  -- The day from which its days are counted.
  since date not null,
  -- The last day on which it was looked at.
  looked_on date not null,
  primary key (user_id, source),
  constraint payout_rules_one check ((recurrence is null) <> (above_cents is null))
);
