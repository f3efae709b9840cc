-- What operators let go of of other people's money: what one did alone, and what waits for a second one, was confirmed or refused.
create table money_acts (
  id uuid primary key,
  kind text not null check (kind in ('refund', 'won', 'writeOff')),
  -- The case, the chargeback as the processor told it, or the fan who owes.
  subject_id uuid not null,
  -- What people call it.
  about text not null,
  -- What the room that does it needs to know.
  wish jsonb not null,
  cents bigint not null check (cents > 0),
  operator_id uuid not null references users,
  ground text not null,
  at timestamptz(3) not null,
  outcome text check (outcome in ('passed', 'confirmed', 'refused')),
  ended_at timestamptz(3),
  ended_by uuid references users,
  check ((outcome is null) = (ended_at is null))
);
create unique index money_acts_waiting on money_acts (kind, subject_id) where outcome is null;
create index money_acts_passed on money_acts (at) where outcome = 'passed';
create index money_acts_ended on money_acts (ended_at desc) where outcome in ('confirmed', 'refused');
