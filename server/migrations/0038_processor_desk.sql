-- What a person decides about posts of the payment processor that were put aside.

-- refunding: its money is being given back by the processor, or nobody knows yet whether it was; refunded: it was.
alter table processor_events drop constraint processor_events_state_check;
alter table processor_events add constraint processor_events_state_check
  check (state in ('received', 'waiting', 'processed', 'ignored', 'quarantined', 'dismissed', 'refunding', 'refunded'));

-- When a reversal was made, as the processor says it: of one sale several parts may be taken back, under one transaction.
alter table processor_events add column told_at text not null default '';
drop index processor_events_once;
create unique index processor_events_once on processor_events (provider, event_type, processor_transaction_id, told_at) where not is_conflicting;
create index processor_events_of_subscription on processor_events (provider, processor_subscription_id) where event_type = 'NewSaleSuccess' and state <> 'processed';

-- When the processor was asked about a sale whose post proves nothing, and knew of it.
alter table processor_events add column confirmed_at timestamptz(3);

create table processor_decisions (
  id uuid primary key default uuidv7(),
  event_id uuid not null references processor_events on delete restrict,
  -- Null: by the command, on the machine.
  actor_id uuid references users on delete restrict,
  decision text not null check (decision in ('retry', 'dismiss', 'refund')),
  ground text not null,
  decided_at timestamptz(3) not null,
  -- Of a refund: when the processor was asked, which happens once; and what it said.
  asked_at timestamptz(3),
  outcome text check (outcome in ('done', 'refused', 'unknown')),
  detail text
);
create index processor_decisions_of_event on processor_decisions (event_id);
