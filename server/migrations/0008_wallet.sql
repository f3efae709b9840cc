-- The wallet: orders at the card processor, and everything the processor tells about them.

-- One row an order. What it added to the balance is in the ledger; this is what was asked for and what became of it.
create table deposits (
  id uuid primary key default uuidv7(),
  -- Opaque and single-use: it travels through the payer's browser and comes back in the processor's post.
  order_id text not null unique,
  fan_id uuid not null references users on delete restrict,
  provider text not null,
  amount_cents bigint not null check (amount_cents > 0),
  fee_cents bigint not null check (fee_cents >= 0),
  payable_cents bigint not null check (payable_cents = amount_cents + fee_cents),
  -- Null when it was not bought as credits.
  credits int check (credits > 0),
  currency_code text not null default '840',
  status text not null default 'pending' check (status in ('pending', 'success', 'failed')),
  -- Why it failed, in words for the fan.
  reason text check (length(reason) <= 200),
  -- The processor's ids: digits with leading zeros, never numbers.
  processor_subscription_id text,
  processor_transaction_id text,
  card_brand text,
  card_last4 text check (card_last4 ~ '^\d{4}$'),
  -- The ledger's transaction, once credited.
  transaction_id uuid unique,
  -- What was taken back so far: of the price paid by card, and of the balance it had added.
  reversed_payable_cents bigint not null default 0 check (reversed_payable_cents between 0 and payable_cents),
  reversed_cents bigint not null default 0 check (reversed_cents between 0 and amount_cents),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- A payment made later than this is looked at by a person.
  expires_at timestamptz(3) not null,
  paid_at timestamptz(3),
  check ((status = 'success') = (transaction_id is not null)),
  check ((status = 'success') = (processor_transaction_id is not null))
);
create index deposits_of_fan on deposits (fan_id, updated_at desc, id desc);
create unique index deposits_processor_transaction on deposits (provider, processor_transaction_id) where processor_transaction_id is not null;
create index deposits_processor_subscription on deposits (provider, processor_subscription_id) where processor_subscription_id is not null;
create index deposits_pending on deposits (expires_at) where status = 'pending';
create index deposits_paid on deposits (paid_at) where paid_at is not null;

-- Every post of the processor as it came (without the payer's password), stored before anything is made of it.
create table processor_events (
  id uuid primary key default uuidv7(),
  provider text not null,
  -- Null when the post did not say.
  event_type text,
  processor_transaction_id text,
  processor_subscription_id text,
  -- Of the body without the password.
  body_hash bytea not null,
  content_type text not null,
  peer text not null,
  query jsonb not null,
  fields jsonb not null,
  -- Only of a body that could not be read: its beginning.
  raw text,
  -- received: to be worked on; waiting: for a post it depends on; processed: done; ignored: of no consequence here;
  -- quarantined: something is wrong with it, a person decides; dismissed: a person decided against it.
  state text not null check (state in ('received', 'waiting', 'processed', 'ignored', 'quarantined', 'dismissed')),
  reason text,
  -- Another post had the same event and transaction, but said something else.
  is_conflicting boolean not null default false,
  deposit_id uuid references deposits on delete restrict,
  received_count int not null default 1,
  received_at timestamptz(3) not null,
  processed_at timestamptz(3)
);
create unique index processor_events_once on processor_events (provider, event_type, processor_transaction_id) where not is_conflicting;
create unique index processor_events_same_body on processor_events (provider, body_hash);
create index processor_events_open on processor_events (received_at) where state in ('received', 'waiting');
create index processor_events_quarantined on processor_events (received_at desc) where state = 'quarantined';
create index processor_events_of_sale on processor_events (provider, processor_subscription_id) where state = 'waiting';
