-- subscription-tiers

create table subscription_settings (
  id boolean primary key default true check (id),
  trial_days_max smallint not null default 30 check (trial_days_max > 0),
  -- Hours after the end of a period when a failed renewal is tried again. The last is the end of access; it is less than
  -- a week, the shortest period.
  retry_hours smallint[] not null default '{24,48,72,120}'
    check (cardinality(retry_hours) = 4 and 0 < all (retry_hours) and 168 > all (retry_hours)),
  -- Hours after a charge in which a fan gets it back who opened nothing since.
  refund_hours smallint not null default 24 check (refund_hours >= 0)
);
insert into subscription_settings default values;

-- sales

-- subscription is the price of a week or a month. A year may cost twelve times as much.
alter table sales_price_limits drop constraint sales_price_limits_kind_check,
  add constraint sales_price_limits_kind_check check (kind in ('tip', 'post', 'chatMedia', 'callRate', 'addFunds', 'subscription'));

-- profiles

-- The lowest price of a month of the creator's open paid tiers, and whether one of them has a trial; maintained with the
-- tiers. Null without one.
alter table creators add column subscription_cents bigint check (subscription_cents > 0),
  add column has_trial boolean not null default false;
