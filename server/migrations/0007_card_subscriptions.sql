-- deposits

-- What a fan agreed to at the card processor, which then charges the card each period by itself. Each of its payments is a
-- deposit.
create table recurring_payments (
  id uuid primary key,
  -- RESTRICT, because a financial record must not disappear with its user.
  fan_id uuid not null references users(id) on delete restrict,
  provider text not null,
  -- Of each payment: what is added to the wallet, the fee, and what the card is charged.
  amount_cents bigint not null check (amount_cents > 0),
  fee_cents bigint not null check (fee_cents >= 0),
  payable_cents bigint not null check (payable_cents = amount_cents + fee_cents),
  currency_code text not null default '840',
  period_days smallint not null check (period_days between 2 and 365),
  created_at timestamptz(3) not null,
  -- Null until the first payment.
  processor_subscription_id text,
  -- How many renewals the processor confirmed when it was last asked. No more are credited.
  confirmed_renewals integer not null default 0 check (confirmed_renewals >= 0),
  -- By the clock of the processor: an older event is late and has no effect any more.
  last_charged_at timestamptz(3),
  status_changed_at timestamptz(3),
  -- A cancellation that the processor has to confirm. It is repeated until then.
  cancel_requested_at timestamptz(3),
  cancel_attempts integer not null default 0,
  cancel_attempted_at timestamptz(3),
  -- The last answer of the processor, as text for operators.
  cancel_problem text,
  canceled_at timestamptz(3)
);
create unique index recurring_payments_of_processor on recurring_payments (provider, processor_subscription_id) where (processor_subscription_id is not null);
create index recurring_payments_canceling on recurring_payments (cancel_requested_at) where (cancel_requested_at is not null and canceled_at is null);

-- Null for a deposit that the fan made to add funds.
alter table deposits add column recurring_payment_id uuid references recurring_payments(id) on delete restrict,
  -- What a recurring payment should have paid for could not be sold, so the money remains in the wallet.
  add column is_unused boolean not null default false;
create index deposits_of_recurring_payment on deposits (recurring_payment_id) where (recurring_payment_id is not null);

-- subscriptions

-- What a fan wants to subscribe to by card. The subscription starts when the processor reports the first payment.
create table card_subscription_orders (
  -- The id of the recurring payment.
  id uuid primary key,
  fan_id uuid not null references users(id) on delete cascade,
  creator_id uuid not null references users(id),
  tier_id uuid not null references subscription_tiers(id),
  recurrence text not null check (recurrence in ('weekly', 'monthaly', 'yearly')),
  recurrence_count smallint not null check (recurrence_count in (1, 3, 6, 12)),
  price_cents bigint not null check (price_cents > 0),
  time_zone text not null,
  created_at timestamptz(3) not null
);

alter table subscriptions
  add column purse text not null default 'balance' check (purse in ('balance', 'card')),
  -- Its id at `recurring_payments`; null if the balance pays.
  add column recurring_payment_id uuid unique,
  -- When the processor charges the card next. due_at is then the end of the grace, because the job charges no card.
  add column next_charge_at timestamptz(3),
  -- The number of the period that ends at anchor_at. Above 0 after a change from the card to the balance.
  add column anchor_period integer not null default 0 check (anchor_period >= 0),
  add constraint subscriptions_card check ((purse = 'card') = (recurring_payment_id is not null));
create index card_subscription_orders_created on card_subscription_orders (created_at);

alter table subscription_periods
  -- The card payment of a period; null if the balance paid it.
  add column deposit_id uuid unique references deposits(id) on delete restrict;

create index subscriptions_next_charge on subscriptions (next_charge_at) where (next_charge_at is not null);
