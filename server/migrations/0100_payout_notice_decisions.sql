-- What a person decides about posts of PayPal that were put aside.

-- dismissed: a person left it as it is.
alter table payout_notices drop constraint payout_notices_state_check;
alter table payout_notices add constraint payout_notices_state_check
  check (state in ('received', 'booked', 'ignored', 'quarantined', 'dismissed'));
create index payout_notices_of_state on payout_notices (state, received_at desc, id desc);
drop index payout_notices_quarantined;

create table payout_notice_decisions (
  id uuid primary key default uuidv7(),
  notice_id text not null references payout_notices on delete restrict,
  actor_id uuid not null references users on delete restrict,
  decision text not null check (decision in ('retry', 'dismiss')),
  ground text not null,
  decided_at timestamptz(3) not null
);
create index payout_notice_decisions_of_notice on payout_notice_decisions (notice_id);
