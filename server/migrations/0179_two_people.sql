-- What one operator said of money that is on its way, and another has to say as well: that it failed, or came back.
create table payout_claims (
  id uuid primary key,
  payout_id uuid not null references payouts,
  -- The sending that it was said of, and whether that had arrived by then.
  sent_id uuid not null,
  has_arrived boolean not null,
  operator_id uuid not null references users,
  step text not null check (step in ('failed', 'returned')),
  ground text not null,
  at timestamptz(3) not null
);
create index payout_claims_of on payout_claims (payout_id);

-- A limit that one operator wants to raise, until another confirms or refuses it.
alter table payout_settings
  add column wanted_cents bigint check (wanted_cents > 0),
  add column wanted_by uuid references users,
  add column wanted_at timestamptz(3),
  add column wanted_ground text,
  add constraint payout_settings_wanted check (num_nulls(wanted_cents, wanted_by, wanted_at, wanted_ground) in (0, 4));
