-- What PayPal told of payouts, each once: whatever names none of ours waits for a person.
create table payout_notices (
  -- PayPal's name for it.
  id text primary key,
  event_type text not null,
  -- What it names: PayPal's batch and item, and the payout by the id that the item was sent with.
  batch_ref text,
  item_ref text,
  payout_ref text,
  -- received: to be worked on; booked: PayPal was asked and its answer is booked; ignored: it tells nothing; quarantined: a person looks.
  state text not null check (state in ('received', 'booked', 'ignored', 'quarantined')),
  reason text,
  received_at timestamptz(3) not null,
  received_count int not null default 1
);
create index payout_notices_quarantined on payout_notices (received_at) where state = 'quarantined';
