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
create index creators_subscription on creators (follower_count desc, user_id desc) include (subscription_cents)
  where (is_listed and subscription_cents is not null);
create index creators_trial on creators (follower_count desc, user_id desc) include (subscription_cents)
  where (is_listed and has_trial);
update creators c set subscription_cents = t.cents, has_trial = t.has_trial
from (select creator_id, min(coalesce(monthly_cents, weekly_cents * 52 / 12, yearly_cents / 12)) as cents,
    bool_or(trial_days is not null) as has_trial
  from subscription_tiers
  where deleted_at is null and is_open and coalesce(monthly_cents, weekly_cents, yearly_cents) is not null
  group by creator_id) t
where t.creator_id = c.user_id;

-- They get parameters for these columns.
drop function if exists search_creators(text, text[], text, boolean, integer, smallint, uuid, integer, uuid[], uuid[]);
drop function if exists search_corrected_creators(text[], text[], text[], text, boolean, smallint, uuid, integer, uuid[], uuid[]);
drop function if exists list_creators_by_terms(text[], text[], text[], text, boolean, smallint, uuid, integer, uuid[], uuid[]);

-- subscriptions

-- When operators paused renewals, and what they decided about those that fell due meanwhile.
create table renewal_pauses (
  started_at timestamptz(3) primary key,
  -- Null while renewals are paused.
  ended_at timestamptz(3),
  -- Renewals that fell due meanwhile are free.
  is_waived boolean not null default false,
  check (ended_at >= started_at)
);
create unique index renewal_pauses_current on renewal_pauses ((true)) where (ended_at is null);
insert into renewal_pauses (started_at) select changed_at from kill_switches where name = 'subscriptions' and is_disabled;

create index subscriptions_failing on subscriptions (due_at) where (failed_attempts > 0);
create index subscriptions_ended on subscriptions (end_reason, ended_at desc) where (ended_at is not null);
create index subscription_periods_refunded on subscription_periods (sale_id) where (refunded_cents > 0);

-- approvals

-- subscription is the end of a subscription or the refund of one of its periods; the subject is the subscription.
alter table approval_requests drop constraint approval_requests_kind_check,
  add constraint approval_requests_kind_check check (kind in ('refund', 'won', 'writeOff', 'setting', 'subscription'));
