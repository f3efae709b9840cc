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
