-- subscription-tiers

create table subscription_offers (
  id uuid primary key,
  creator_id uuid not null references users(id) on delete cascade,
  -- Null for all paid tiers.
  tier_id uuid references subscription_tiers(id),
  -- In upper case. Never given to another offer, so that its terms cannot change while a fan subscribes.
  code text not null check (code ~ '^[A-Z0-9]{3,20}$'),
  percent_off smallint not null check (percent_off between 1 and 99),
  -- How many charges are discounted.
  periods smallint not null check (periods > 0),
  audience text not null check (audience in ('everyone', 'new', 'returning')),
  -- Null for any number.
  max_uses integer check (max_uses > 0),
  -- Counted with the subscriptions, so that the last use is given away once. A refund does not give it back.
  use_count integer not null default 0 check (use_count >= 0),
  ends_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  closed_at timestamptz(3),
  unique (creator_id, code),
  check (use_count <= max_uses)
);
create index subscription_offers_by_tier on subscription_offers (tier_id) where (closed_at is null);

-- subscriptions

alter table subscriptions
  -- The offer that it started with. A fan uses each offer once.
  add column offer_id uuid references subscription_offers(id),
  -- Off the price of the next charges. Null without a discount, and from the first charge at the full price on.
  add column discount_percent smallint check (discount_percent between 1 and 99),
  -- How many charges are still discounted. 0: the current period was the last one.
  add column discount_periods_left smallint check (discount_periods_left >= 0),
  add constraint subscriptions_discount check ((discount_percent is null) = (discount_periods_left is null));
create index subscriptions_by_offer on subscriptions (offer_id, fan_id) where (offer_id is not null);
