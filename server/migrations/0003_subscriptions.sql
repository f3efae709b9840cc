-- subscription-tiers

create table subscription_tiers (
  id uuid primary key,
  creator_id uuid not null references users(id) on delete cascade,
  -- 1 is the lowest. Deferrable, so that an order can be changed in one statement. Null for a deleted tier.
  position smallint check (position between 1 and 5),
  name text not null check (length(name) <= 30),
  benefits text[] not null default '{}',
  -- Null where the tier is not offered for that time. All null: the tier is free.
  weekly_cents bigint check (weekly_cents > 0),
  monthly_cents bigint check (monthly_cents > 0),
  yearly_cents bigint check (yearly_cents > 0),
  -- [{"months", "percentOff"}] of contract/content/subscription-tiers.ts.
  bundles jsonb not null default '[]',
  trial_days smallint check (trial_days > 0),
  -- Subscribers at the same time; null for any number.
  slots integer check (slots > 0),
  -- Maintained with the subscriptions, so that the last slot is given away once.
  subscriber_count integer not null default 0 check (subscriber_count >= 0),
  is_open boolean not null default true,
  created_at timestamptz(3) not null,
  -- Its subscriptions end with their paid period.
  deleted_at timestamptz(3),
  constraint subscription_tiers_position unique (creator_id, position) deferrable initially deferred,
  check ((position is null) = (deleted_at is not null))
);

-- What opens a post besides buying it: its creator's id for all subscribers, or a tier's id for that tier and higher ones.
-- Null for buyers only.
alter table posts add column container_id uuid;

-- subscriptions

create table subscriptions (
  id uuid primary key,
  fan_id uuid not null references users(id) on delete cascade,
  creator_id uuid not null references users(id),
  tier_id uuid not null references subscription_tiers(id),
  recurrence text not null check (recurrence in ('weekly', 'monthaly', 'yearly')),
  recurrence_count smallint not null check (recurrence_count in (1, 3, 6, 12)),
  -- Of the next period; 0 for a free tier, which has no periods.
  price_cents bigint not null check (price_cents >= 0),
  -- Start of the first paid period. All later boundaries are counted from it, so that a day such as the 31st is not lost.
  anchor_at timestamptz(3) not null,
  -- IANA name. Boundaries stay at the same local time of it.
  time_zone text not null,
  -- Of the current period: 0 is the trial, 1 the first paid one.
  period_number integer not null check (period_number >= 0),
  -- Until when access is paid; null for a free tier.
  paid_until timestamptz(3),
  is_renewing boolean not null,
  -- When the job charges or ends the subscription next. Null after the end, and for a free tier.
  due_at timestamptz(3),
  failed_attempts smallint not null default 0,
  failed_at timestamptz(3),
  -- A higher price that the fan has not accepted; from then on the subscription does not renew without acceptance.
  new_price_cents bigint check (new_price_cents > 0),
  new_price_from timestamptz(3),
  -- A higher price that the fan has accepted, and the first renewal that costs it.
  agreed_price_cents bigint check (agreed_price_cents > 0),
  agreed_price_from timestamptz(3),
  -- The period for which the reminder was sent.
  reminded_period integer,
  started_at timestamptz(3) not null,
  canceled_at timestamptz(3),
  ended_at timestamptz(3),
  end_reason text,
  check ((ended_at is null) = (end_reason is null)),
  check ((new_price_cents is null) = (new_price_from is null)),
  check ((agreed_price_cents is null) = (agreed_price_from is null))
);
-- One current subscription of a fan to a creator.
create unique index subscriptions_current on subscriptions (fan_id, creator_id) where (ended_at is null);
create index subscriptions_due on subscriptions (due_at) where (due_at is not null);
create index subscriptions_by_creator on subscriptions (creator_id, id desc);
create index subscriptions_by_fan on subscriptions (fan_id, id desc);
create index subscriptions_by_tier on subscriptions (tier_id) where (ended_at is null);

create table subscription_periods (
  subscription_id uuid references subscriptions(id) on delete cascade,
  number integer check (number >= 1),
  -- The subject and the operation of its sale, so that a period is charged once.
  id uuid not null unique,
  starts_at timestamptz(3) not null,
  ends_at timestamptz(3) not null,
  charged_at timestamptz(3) not null,
  price_cents bigint not null check (price_cents > 0),
  sale_id uuid not null,
  -- When the fan first opened something that only the subscription opens.
  opened_at timestamptz(3),
  refunded_cents bigint not null default 0,
  primary key (subscription_id, number),
  check (ends_at > starts_at)
);
