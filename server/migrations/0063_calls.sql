-- Paid calls: a creator's prices and hours, each call with its clock, what happened in it, and when its sides were heard last.

create table call_terms (
  creator_id uuid primary key references users on delete cascade,
  -- A minute, in cents; null: this kind is not offered.
  video_rate_cents bigint check (video_rate_cents > 0),
  audio_rate_cents bigint check (audio_rate_cents > 0),
  is_available boolean not null default true,
  shortest_minutes int not null default 1 check (shortest_minutes > 0),
  -- As the contract has them; empty: at any hour.
  hours jsonb not null default '[]',
  time_zone text not null default 'UTC',
  updated_at timestamptz(3) not null default now()
);
insert into call_terms (creator_id, video_rate_cents) select user_id, call_rate_cents from creators where call_rate_cents is not null;
-- What cards show; profiles writes it when it hears of other prices.
comment on column creators.call_rate_cents is 'the lowest price a minute of call_terms while calls are taken';

create table calls (
  id uuid primary key,
  fan_id uuid not null references users on delete restrict,
  creator_id uuid not null references users on delete restrict,
  kind text not null check (kind in ('video', 'audio')),
  rate_cents bigint not null check (rate_cents > 0),
  status text not null check (status in ('validate', 'calling', 'ringing', 'received', 'ended', 'drop', 'cancel', 'failed')),
  reason text,
  -- The fan's own id for beginning it.
  operation_id uuid not null,
  -- The transaction that set money aside first; null: never offered, so nothing was.
  hold_id uuid,
  held_cents bigint not null default 0 check (held_cents >= 0),
  fan_device text not null,
  creator_device text,
  -- What each side said last: whether it hears the other.
  is_fan_connected boolean not null default false,
  is_creator_connected boolean not null default false,
  created_at timestamptz(3) not null,
  answered_at timestamptz(3),
  -- Both were connected for the first time.
  started_at timestamptz(3),
  ended_at timestamptz(3),
  -- Both were connected so long, and since then besides; of an open call, a side is waited for since then.
  talked_ms bigint not null default 0 check (talked_ms >= 0),
  running_since timestamptz(3),
  lost_at timestamptz(3),
  -- The last warning of funds, in seconds left.
  warned_seconds int,
  -- When somebody has to look at it, whatever happens.
  next_due_at timestamptz(3),
  charged_cents bigint not null default 0 check (charged_cents between 0 and held_cents),
  net_cents bigint not null default 0 check (net_cents between 0 and charged_cents),
  -- What gave the rest of the hold back, and charged if anything was.
  transaction_id uuid,
  call_back_asked_at timestamptz(3),
  -- The creator saw that they missed it.
  seen_at timestamptz(3),
  unique (fan_id, operation_id),
  constraint calls_open check ((ended_at is null) = (status in ('validate', 'calling', 'ringing', 'received'))
    and (ended_at is null) = (reason is null) and (ended_at is null) = (next_due_at is not null)),
  constraint calls_clock check (running_since is null or status = 'received'),
  constraint calls_money check (hold_id is not null or status = 'validate' or (ended_at is not null and held_cents = 0))
) with (fillfactor = 80);
-- Each is in one call at most, whatever races.
create unique index calls_open_of_fan on calls (fan_id) where ended_at is null;
create unique index calls_open_of_creator on calls (creator_id) where ended_at is null;
create index calls_of_fan on calls (fan_id, id desc);
create index calls_of_creator on calls (creator_id, id desc);
create index calls_of_hold on calls (hold_id);
create index calls_missed on calls (creator_id) where answered_at is null and seen_at is null;

-- What happened, in order. The clock's are the only ones that a charge follows from.
create table call_moments (
  call_id uuid not null references calls on delete restrict,
  n bigint generated always as identity,
  at timestamptz(3) not null,
  moment text not null check (moment in ('called', 'rang', 'answered', 'clockStarts', 'clockStops', 'tookOver', 'warned', 'extended', 'over')),
  by_side text check (by_side in ('fan', 'creator')),
  talked_ms bigint not null check (talked_ms >= 0),
  -- What set money aside.
  transaction_id uuid,
  primary key (call_id, n)
);

-- When each side of an open call was heard last; every process writes those on its sockets, all at once. Beside the call, so that
-- whoever locks that holds up nobody who is heard.
create table call_hearings (
  call_id uuid not null references calls on delete cascade,
  side text not null check (side in ('fan', 'creator')),
  heard_at timestamptz(3) not null,
  -- Its silence is of consequence: the fan calls, or the clock runs.
  is_watched boolean not null,
  primary key (call_id, side)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
