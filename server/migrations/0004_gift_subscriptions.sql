-- calls

alter table call_settings drop constraint call_settings_caller_rule_check;
alter table call_settings add constraint call_settings_caller_rule_check
  check (caller_rule in ('everyone', 'conversations', 'followers', 'buyers', 'subscribers'));
-- With the rule `subscribers`: those of this tier and higher ones; null for all subscribers.
alter table call_settings add column caller_tier_id uuid references subscription_tiers(id) on delete set null
  check (caller_tier_id is null or caller_rule = 'subscribers');

-- chat

alter table creators drop constraint creators_chat_rule_check;
-- subscribers: only they may begin a conversation.
alter table creators add constraint creators_chat_rule_check
  check (chat_rule in ('open', 'request', 'followers', 'subscribers'));
-- With the rule `subscribers`: those of this tier and higher ones; null for all subscribers.
alter table creators add column chat_tier_id uuid references subscription_tiers(id) on delete set null
  check (chat_tier_id is null or chat_rule = 'subscribers');

-- A creator may write to their subscribers, as to fans who contacted them.
insert into fan_creator_relations (fan_id, creator_id, since)
  select fan_id, creator_id, min(started_at) from subscriptions group by fan_id, creator_id
  on conflict (fan_id, creator_id) do nothing;

alter table broadcasts drop constraint broadcasts_audience_check;
alter table broadcasts add constraint broadcasts_audience_check check (audience in ('chosen', 'followers', 'buyers', 'active', 'notBought',
  'subscribers', 'tier', 'newSubscribers', 'expiring', 'ended', 'topSpenders'));
-- The tier of the audience `tier`.
alter table broadcasts add column tier_id uuid references subscription_tiers(id);
-- Who belonged to a group of subscribers, or was a top spender, when the broadcast was sent.
create table broadcast_recipients (
  broadcast_id uuid references broadcasts(id) on delete cascade,
  fan_id uuid references users(id) on delete cascade,
  primary key (broadcast_id, fan_id)
);

-- subscription-tiers

-- What a fan who subscribes to the creator for the first time receives as a message; empty for none.
alter table subscription_tiers add column welcome_message text not null default '' check (length(welcome_message) <= 5000);

-- subscriptions

-- Another fan who paid the first period as a gift; null for none. The fan pays later periods.
alter table subscriptions add column payer_id uuid references users(id);
create index subscriptions_by_payer on subscriptions (payer_id, id desc) where (payer_id is not null);
