-- A card shows what the button that calls charges: video's rate, or voice's where no video is offered (docs/decisions/0200).
update creators c set call_rate_cents = coalesce(t.video_rate_cents, t.audio_rate_cents)
  from call_terms t where t.creator_id = c.user_id and t.is_available and c.call_rate_cents is not null
    and c.call_rate_cents is distinct from coalesce(t.video_rate_cents, t.audio_rate_cents);
comment on column creators.call_rate_cents is 'the price a minute by the button that calls, while calls are taken';
-- The wallet asks which call a movement of money was of (docs/decisions/0201).
create index calls_of_transaction on calls (transaction_id) where transaction_id is not null;
create index call_moments_of_transaction on call_moments (transaction_id) where transaction_id is not null;
