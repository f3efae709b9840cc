-- The schema. Later changes are new migrations. Functions and the triggers that call them are in `functions/`.

create extension if not exists btree_gin;
create extension if not exists citext;
create extension if not exists pg_trgm;
create extension if not exists unaccent;

-- Amounts of a transaction in cents, two to six of them. Debits are positive, credits negative; they sum to zero.
create domain ledger_amounts as bigint[] check ((((array_lower(VALUE, 1) = 1) and (array_upper(VALUE, 1) <= 6) and ((VALUE)[1] <> 0) and (((((((VALUE)[1] + (VALUE)[2]) + coalesce((VALUE)[3], (0)::bigint)) + coalesce((VALUE)[4], (0)::bigint)) + coalesce((VALUE)[5], (0)::bigint)) + coalesce((VALUE)[6], (0)::bigint)) = 0)) is true));

-- platform

-- Domain events, inserted in the transaction that causes them and delivered after its commit, at least once. A row is
-- deleted when it is delivered and its jobs are in event_jobs. Rows live for seconds, so vacuum runs early and
-- without delay.
create table outbox (
  id bigint primary key generated always as identity,
  -- Stays the same when the event is delivered again.
  event_id uuid not null default uuidv7(),
  type text not null,
  payload jsonb not null,
  -- After 12 failed attempts the event is not delivered any more, and the row stays.
  attempts integer not null default 0,
  not_before timestamptz(3) not null default '-infinity'::timestamp with time zone,
  failure text,
  created_at timestamptz(3) not null default now(),
  -- The handlers that need not run again; null: none yet.
  done text[]
) with (fillfactor=70, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_cost_delay=0);

-- The keys of requests that move no money; the ledger stores its own. Rows are not deleted.
create table idempotency_keys (
  actor_id uuid,
  operation_id uuid,
  -- A repeated request with another hash is refused.
  request_hash bytea not null,
  -- What the first request created, returned to repeated ones.
  subject_id uuid,
  created_at timestamptz(3) not null default now(),
  primary key (actor_id, operation_id)
);

-- Mails that would have been sent, when no mail server is configured. Never used in production.
create table development_mail (
  id uuid primary key default uuidv7(),
  recipient citext not null,
  subject text not null,
  body text not null,
  created_at timestamptz(3) not null default now()
);
create index development_mail_recipient on development_mail (recipient, id desc);

-- Values by key. Only the demo data uses it, to record what was created; settings of operators have their own tables.
create table settings (
  key text primary key,
  value jsonb not null,
  updated_at timestamptz(3) not null default now()
);

-- The single row says which process delivers events. Another process takes over when the lease ends, so that a frozen
-- process does not block delivery.
create table relay_lease (
  id boolean primary key default true check (id),
  holder uuid,
  -- By the clock of the database.
  until timestamptz not null default '-infinity'::timestamp with time zone
) with (fillfactor=50);
insert into relay_lease default values;

-- The work that handlers have to do for events. One background job per queue and subject handles its rows in the
-- order of id, and a row is deleted when it is done. Rows live for seconds, so vacuum runs early and without delay.
create table event_jobs (
  id bigint primary key generated always as identity,
  -- One of `money`, `rings`, `quick`, `bulk` and `followers`, each with its own concurrency.
  queue text not null,
  -- Rows of one subject are handled one after another; a longer one than 200 characters is stored as its SHA-256.
  subject text not null,
  -- The type of the event and the name of the handler, as `event/name`.
  handler text not null,
  event_id uuid not null,
  payload jsonb not null,
  created_at timestamptz(3) not null,
  -- The progress of a handler that works in steps, for example the last id; null: at the beginning.
  step text,
  -- After 12 failed attempts the row is not handled any more and stays.
  attempts integer not null default 0,
  not_before timestamptz(3) not null default '-infinity'::timestamp with time zone,
  failure text,
  unique (event_id, handler)
) with (fillfactor=70, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_cost_delay=0);
create index event_jobs_subject on event_jobs (queue, subject, id);

-- What happened to accounts and sessions: logins, refusals and actions of operators, without secrets and user input.
-- Triggers make it append-only, and a job deletes rows after 400 days.
create table security_log (
  id bigint primary key generated always as identity,
  at timestamptz(3) not null,
  -- The kinds are listed in server/platform/security/security-log.ts.
  kind text not null,
  -- The account that it is about; null: unknown. No foreign key, because the row outlives the account.
  user_id uuid,
  session_id uuid,
  -- The IPv4 address, or the first 56 bits of the IPv6 address, of the client.
  network text,
  -- A fixed term such as a route or a browser, never user input.
  detail text not null default '',
  -- How many equal events the row stands for: those of a second, or in a flood those of ten minutes.
  count integer not null default 1 check (count > 0)
);
create index security_log_by_age on security_log (at);
create index security_log_of_user on security_log (user_id, id) where (user_id is not null);

-- Counts of the server's own errors, shown on the system status page. Rows are deleted after two days.
create table error_stats (
  -- The beginning of the hour.
  hour timestamptz(3),
  -- The pattern of the route, never the requested address.
  route text,
  code text,
  count integer not null,
  last_at timestamptz(3) not null,
  -- The newest ten references that users saw on the error page, newest first.
  refs text[] not null,
  primary key (hour, route, code)
);

-- The running processes of the platform. Each writes a heartbeat every ten seconds; after 35 seconds without one it
-- counts as gone, and the next process that starts or stops deletes its row.
create table processes (
  id uuid primary key,
  role text not null,
  version text not null,
  started_at timestamptz(3) not null,
  -- By the clock of the database, because the clocks of machines differ.
  seen_at timestamptz(3) not null,
  memory_bytes bigint not null,
  -- How far the clock of the machine is ahead of that of the database. Null if it was not compared yet.
  clock_offset_ms bigint
);

-- accounts

-- Accounts of fans (type customer), creators and operators. Rows are never deleted: account deletion replaces
-- personal data with a pseudonym, because financial records refer to the id.
create table users (
  id uuid primary key default uuidv7(),
  type text not null check (type in ('customer', 'creator', 'operator')),
  username citext not null unique,
  email citext not null unique,
  name text not null,
  -- The name as operators search it (unaccent_lower_spaced), written by a trigger.
  search_name text not null default '',
  -- Argon2id; an exclamation mark, which matches no password, once the account is deleted.
  password_hash text not null,
  -- Storage prefix of the image variants; it changes with each upload, so URLs are cached permanently.
  avatar_key text,
  avatar_thumbhash text,
  -- True during a block by an operator, and also while a deletion is requested, running or completed.
  is_blocked boolean not null default false,
  email_verified_at timestamptz(3),
  consented_at timestamptz(3),
  -- As entered at sign-up, even if invalid; referrals has the valid ones.
  referral_code text,
  -- Encrypted with a key derived from the configuration; without two_factor_enabled_at the setup is not finished.
  two_factor_secret bytea,
  two_factor_enabled_at timestamptz(3),
  -- TOTP time step of the last accepted code; codes of this step and earlier ones are refused.
  two_factor_last_step bigint,
  -- Written at most every five minutes, for operators every minute.
  last_seen_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  -- Null means that a block is permanent; an expired block counts as lifted even before a job clears it.
  blocked_until timestamptz(3),
  -- Shown at log-in; empty for the default message.
  blocked_message text not null default '',
  -- When each restricted activity (chat, posting, payouts) is allowed again, such as {"chat":
  -- "2026-12-05T10:00:00.000Z"}; null for none, and expired entries have no effect.
  restrictions jsonb,
  -- The user chose a break and cannot log in until then.
  break_until timestamptz(3),
  -- The user requested deletion; a log-in cancels it.
  is_deletion_pending boolean not null default false,
  -- Erasure has started or finished, so neither a log-in nor an operator can restore the account.
  is_erasing boolean not null default false,
  -- An operator without roles has no permissions.
  operator_roles text[] not null default '{}'::text[],
  -- A deletion request that is suspended by an operator's block and continues if that block is reversed.
  is_deletion_held boolean not null default false,
  constraint users_operator_roles check ((operator_roles <@ array['owner', 'moderator', 'finance', 'support', 'auditor']) and ((type = 'operator') or (operator_roles = '{}'::text[])))
);
create index users_blocked_until on users (blocked_until) where (blocked_until is not null);
-- Prefix search by operators needs collation C, as do the indexes on name and username.
create index users_email_begins on users (lower((email)::text) COLLATE "C");
-- Lets operators search for a part of the username, name or email.
create index users_holds on users using gin (((((lower((username)::text) || ' ') || search_name) || ' ') || lower((email)::text)) gin_trgm_ops);
-- A sample of one account in 256, by the last byte of the id: a trigram index reads all matches first, so a frequent
-- text is searched in the sample.
create index users_holds_sample on users using gin (((((lower((username)::text) || ' ') || search_name) || ' ') || lower((email)::text)) gin_trgm_ops) where (get_byte(uuid_send(id), 15) = 0);
create index users_name_begins on users (search_name COLLATE "C");
create index users_operators on users (username) where (type = 'operator');
create index users_restrictions on users (id) where (restrictions is not null);
create index users_username_begins on users (lower((username)::text) COLLATE "C");

-- Keyed hashes of the ten one-time codes that replace a two-factor code. A new set replaces all of them.
create table recovery_codes (
  user_id uuid references users(id) on delete cascade,
  code_hash bytea,
  used_at timestamptz(3),
  primary key (user_id, code_hash)
);

-- One row per logged-in browser. Deleting a row logs it out, and a trigger notifies all processes in the same commit.
-- An hourly job deletes expired and idle sessions.
create table sessions (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users(id) on delete cascade,
  -- SHA-256 of the cookie token, which is not stored.
  token_hash bytea not null unique,
  device text not null,
  display_mode text not null check (display_mode in ('standalone', 'browser')),
  created_at timestamptz(3) not null default now(),
  -- Written at most every five minutes, for operators every minute; a session idle for 30 days is invalid.
  last_seen_at timestamptz(3) not null default now(),
  -- The absolute limit; sessions of operators end earlier, as configured.
  expires_at timestamptz(3) not null,
  -- When an operator last confirmed their identity in this session; null if not since log-in, which counts as a
  -- confirmation.
  step_up_at timestamptz(3),
  -- The creator for whom a team member acts; null for the user's own account.
  on_behalf_of_id uuid references users(id) on delete cascade
);
create index sessions_acting on sessions (on_behalf_of_id, user_id) where (on_behalf_of_id is not null);
create index sessions_expiry on sessions (expires_at);
create index sessions_user on sessions (user_id, last_seen_at desc);

-- Links sent by email to verify an address or reset a password. Only the hash is stored. Each works once, and an
-- hourly job deletes expired ones.
create table mail_tokens (
  token_hash bytea primary key,
  user_id uuid not null references users(id) on delete cascade,
  purpose text not null check (purpose in ('verify', 'reset', 'staff')),
  -- The address the link was sent to; the link is invalid once the account has another one.
  email citext not null,
  -- The internal path at which the sign-up began.
  next_path text check (next_path like '/%' and length(next_path) <= 2000),
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  created_at timestamptz(3) not null default now()
);
create index mail_tokens_user on mail_tokens (user_id, purpose, created_at desc);

-- Counts guesses of a password or code within 15 minutes. Names without an account are counted too, so a lockout does
-- not reveal whether an account exists. An hourly job deletes ended windows.
create table login_attempts (
  -- SHA-256 of what is limited, such as the entered name, the name with a network, or an account with a known device.
  subject bytea primary key,
  count integer not null,
  window_ends_at timestamptz(3) not null
);

-- Profiles of creators, one for each user of type creator. The counters are changed in the transaction of what they
-- count. Account deletion empties the profile and keeps the row.
create table creators (
  user_id uuid primary key references users(id) on delete cascade,
  craft text not null default '',
  city text not null default '',
  bio text not null default '',
  category text,
  -- Profiles on known social networks, as [{"network", "url"}].
  links jsonb not null default '[]'::jsonb,
  layout text not null default 'classic' check (layout in ('classic', 'hero')),
  shape text not null default 'box' check (shape in ('box', 'round')),
  format text not null default 'row' check (format in ('col', 'row')),
  -- Price per minute of the call button on the profile: the video rate, or the audio rate without video; null while
  -- calls are off.
  call_rate_cents bigint check (call_rate_cents > 0),
  -- Storage prefix of the image variants; it changes with each upload, so URLs are cached permanently.
  cover_key text,
  cover_width integer,
  cover_height integer,
  cover_thumbhash text,
  -- Shows the badge; false while a new display name waits for review.
  is_verified boolean not null default false,
  follower_count bigint not null default 0,
  post_count bigint not null default 0,
  media_count bigint not null default 0,
  view_count bigint not null default 0,
  -- When the latest existing post was published; null without posts.
  last_post_at timestamptz(3),
  -- Name, username, craft, city, bio and category in lower case without accents, maintained by triggers.
  search_text text not null default '',
  created_at timestamptz(3) not null default now(),
  -- Not blocked and with a verified email, maintained by triggers; stored here so that a list and its count read one
  -- index.
  is_listed boolean not null default false,
  -- In percent of the width, as cover_focus_y is of the height: the point that stays visible when the cover is
  -- cropped.
  cover_focus_x smallint not null default 50 check ((cover_focus_x >= 0) and (cover_focus_x <= 100)),
  cover_focus_y smallint not null default 50 check ((cover_focus_y >= 0) and (cover_focus_y <= 100)),
  -- open: all fans may write; request: the creator accepts a new fan first; followers: only followers may write.
  chat_rule text not null default 'request' check (chat_rule in ('open', 'request', 'followers')),
  -- The display name that was last reviewed; null if never verified.
  verified_name text,
  -- Links to any other pages, as [{"label", "url"}].
  custom_links jsonb not null default '[]'::jsonb check (jsonb_typeof(custom_links) = 'array'),
  constraint creators_verified_name check ((not is_verified) or (verified_name is not null))
);
create index creators_category on creators (category, follower_count desc, user_id desc) where is_listed;
-- Ids are UUIDv7, so their order is the order of sign-up.
create index creators_new on creators (user_id desc) where is_listed;
create index creators_published_last on creators (last_post_at desc, user_id desc) where (is_listed and (last_post_at is not null));
create index creators_recommended on creators (follower_count desc, user_id desc) where is_listed;
create index creators_verified on creators (user_id) where (verified_name is not null);
comment on column creators.call_rate_cents is 'the price a minute by the button that calls, while calls are taken';

-- Browsers from which a user has logged in, at most 20 per user. Guesses from them are counted separately, so that
-- strangers cannot lock the owner out. A job deletes rows unused for a year.
create table known_devices (
  user_id uuid references users(id) on delete cascade,
  token_hash bytea,
  seen_at timestamptz(3) not null,
  primary key (user_id, token_hash)
);
create index known_devices_by_age on known_devices (seen_at);
-- Finds the accounts of a browser, so that users cannot refer themselves.
create index known_devices_by_token on known_devices (token_hash);

-- Usernames of deleted accounts, which are reserved for a year. Only a keyed hash is stored, and an hourly job
-- deletes expired rows.
create table reserved_usernames (
  name_hash bytea primary key,
  until timestamptz(3) not null
);
create index reserved_usernames_until on reserved_usernames (until);

-- Keyed hashes of the browsers and payment cards of a fan, at most 40 per account. They show whether two accounts
-- share one, which hints at ban evasion. A job deletes rows not seen for 180 days.
create table account_fingerprints (
  user_id uuid references users(id) on delete cascade,
  -- HMAC with different keys for browsers and cards, so that equal values do not match.
  mac bytea,
  seen_at timestamptz(3) not null,
  primary key (user_id, mac)
);
create index account_fingerprints_by_mac on account_fingerprints (mac);
create index account_fingerprints_by_time on account_fingerprints (seen_at);

-- affiliates

-- The terms of the affiliate program, in a single row. Referrals that are already approved keep their terms.
create table affiliate_settings (
  id boolean primary key default true check (id),
  -- Commission on the gross of each sale of a referred creator, at most half of the platform fee.
  creator_basis_points integer not null default 500 check ((creator_basis_points >= 0) and (creator_basis_points <= 10000)),
  -- Commission on the gross of each purchase of a referred fan, at most half of the platform fee.
  customer_basis_points integer not null default 500 check ((customer_basis_points >= 0) and (customer_basis_points <= 10000)),
  -- How many calendar months after approval commission is paid.
  months integer not null default 12 check (months > 0),
  -- The smallest amount of commission that can be moved to the affiliate's own wallet at once.
  move_min_cents bigint not null default 100 check (move_min_cents > 0),
  -- The fee for moving commission to the affiliate's own wallet, of the moved amount.
  move_fee_basis_points integer not null default 0 check ((move_fee_basis_points >= 0) and (move_fee_basis_points <= 10000))
);
insert into affiliate_settings default values;

-- Referral codes, created when a user first opens the page. Account deletion deletes the code.
create table affiliate_codes (
  user_id uuid primary key references users(id) on delete cascade,
  -- Eight capital letters and digits.
  code text not null unique,
  created_at timestamptz(3) not null
);

-- Users who signed up with a valid referral code. Rows are financial records and stay after account deletion.
create table referrals (
  referred_id uuid primary key references users(id) on delete cascade,
  affiliate_id uuid not null references users(id) ON DELETE RESTRICT,
  referred_type text not null check (referred_type in ('customer', 'creator')),
  -- underReview: a creator submitted documents; approved: a creator is verified or a fan made a first deposit, and
  -- commission starts.
  status text not null default 'invited' check (status in ('invited', 'underReview', 'approved')),
  invited_at timestamptz(3) not null,
  approved_at timestamptz(3),
  -- When commission ends.
  ends_at timestamptz(3),
  constraint referrals_approved check (((status = 'approved') = (approved_at is not null)) and ((approved_at is null) = (ends_at is null))),
  constraint referrals_others check (referred_id <> affiliate_id)
);
create index referrals_of_affiliate on referrals (affiliate_id, invited_at, referred_id);

-- Commission that an affiliate moved to the wallet or requested as a payout.
create table affiliate_claims (
  -- Id of the ledger transaction or of the payout, which also has the status; no foreign key, because it may be
  -- either.
  id uuid primary key,
  affiliate_id uuid not null references users(id) ON DELETE RESTRICT,
  -- Before the fee.
  amount_cents bigint not null check (amount_cents > 0),
  -- The part that came from referred fans; the rest came from referred creators.
  customer_cents bigint not null,
  fee_cents bigint not null,
  created_at timestamptz(3) not null,
  check ((customer_cents >= 0) and (customer_cents <= amount_cents)),
  constraint affiliate_claims_check1 check ((fee_cents >= 0) and (fee_cents <= amount_cents))
);
create index affiliate_claims_of_affiliate on affiliate_claims (affiliate_id, created_at, id);

-- data-export

-- The latest data export of a user. A job deletes the row and the file when the export expires.
create table data_exports (
  user_id uuid primary key references users(id) on delete cascade,
  -- Names the file; each new export gets a new id.
  id uuid not null,
  requested_at timestamptz(3) not null,
  -- Null while the export is being created or after it failed.
  ready_at timestamptz(3),
  failed_at timestamptz(3),
  byte_size bigint,
  expires_at timestamptz(3),
  -- The session that confirmed the password and may download until unlocked_until.
  unlocked_by uuid,
  unlocked_until timestamptz(3),
  constraint data_exports_opened check ((unlocked_by is null) = (unlocked_until is null)),
  constraint data_exports_ready check (((ready_at is null) = (byte_size is null)) and ((ready_at is null) = (expires_at is null)))
);
create index data_exports_expiring on data_exports (expires_at) where (expires_at is not null);

-- audit-log

-- Actions of operators, written in the transaction of the action. Each row contains the hash of the row before, and
-- triggers refuse updates and deletions.
create table audit_log (
  id uuid primary key,
  -- Counts from 1 without gaps and is set, like both hashes, by a trigger.
  position bigint not null,
  at timestamptz(3) not null,
  -- Null for the command line and automatic actions, and without a foreign key because the row outlives the account.
  operator_id uuid,
  action text not null,
  subject_kind text not null,
  -- Text, because some subjects, such as settings, have no uuid.
  subject_id text not null,
  -- A flat object with amounts in cents and without secrets, because rows are never deleted.
  details jsonb not null default '{}'::jsonb check (jsonb_typeof(details) = 'object'),
  previous_hash bytea not null,
  hash bytea not null unique,
  -- The database transaction that wrote the row, by which the transparency log finds new rows.
  xid bigint not null default ((pg_current_xact_id())::text)::bigint,
  unique ("position")
);
create index audit_log_of_operator on audit_log (operator_id, "position");
create index audit_log_of_subject on audit_log (subject_kind, subject_id, "position");
-- BRIN is enough because xid grows in the order of the rows.
create index audit_log_xid on audit_log using brin (xid) with (pages_per_range='32', autosummarize='on');

-- blocks

-- Blocked pairs of a fan and a creator, whichever of them blocked the other; conversations says who did. Every module
-- that shows users to users checks it by key.
create table blocks (
  fan_id uuid references users(id) on delete cascade,
  creator_id uuid references users(id) on delete cascade,
  -- Ban-evasion hints consider only accounts created after this time.
  since timestamptz(3) not null,
  primary key (fan_id, creator_id)
);
create index blocks_of_creator on blocks (creator_id);

-- calls

-- What a creator charges for calls and when they take them. Without a row, a creator offers no calls.
create table call_settings (
  creator_id uuid primary key references users(id) on delete cascade,
  -- Per minute; null: video calls are not offered.
  video_rate_cents bigint check (video_rate_cents > 0),
  -- Per minute; null: voice calls are not offered.
  audio_rate_cents bigint check (audio_rate_cents > 0),
  is_available boolean not null default true,
  -- The balance of the fan must pay for this many minutes before the call starts.
  min_minutes integer not null default 1 check (min_minutes > 0),
  -- An array of `{day, from, to}` in time_zone, with times as `HH:MM`; empty: at any hour.
  hours jsonb not null default '[]'::jsonb,
  time_zone text not null default 'UTC',
  -- Who may call, see CALLER_RULES in contract/messaging/calls.ts.
  caller_rule text not null default 'everyone' check (caller_rule in ('everyone', 'conversations', 'followers', 'buyers')),
  updated_at timestamptz(3) not null default now()
);

-- Every attempt of a fan to call a creator, including missed ones. Rows are financial records and are never deleted,
-- which is why the foreign keys restrict. The clock runs while both sides are connected.
create table calls (
  id uuid primary key,
  fan_id uuid not null references users(id) ON DELETE RESTRICT,
  creator_id uuid not null references users(id) ON DELETE RESTRICT,
  kind text not null check (kind in ('video', 'audio')),
  -- The price per minute that the fan agreed to.
  rate_cents bigint not null check (rate_cents > 0),
  -- See CALL_STATUSES in contract/messaging/call-states.ts.
  status text not null check (status in ('validate', 'calling', 'ringing', 'received', 'ended', 'drop', 'cancel', 'failed')),
  -- Why the call ended, see CALL_END_REASONS in contract/messaging/call-states.ts; null while it is open.
  reason text,
  -- The idempotency key of the fan's request.
  operation_id uuid not null,
  -- The hold of the fan's funds; null: the call was never offered to the creator.
  hold_id uuid,
  -- The total of the hold with its extensions, without parts that were released for tips.
  held_cents bigint not null default 0 check (held_cents >= 0),
  fan_device text not null,
  -- The device that answered, or took the call over; null before the answer.
  creator_device text,
  -- The fan's last report of whether they receive the creator.
  is_fan_connected boolean not null default false,
  -- The creator's last report of whether they receive the fan.
  is_creator_connected boolean not null default false,
  created_at timestamptz(3) not null,
  answered_at timestamptz(3),
  -- When both sides were first connected.
  started_at timestamptz(3),
  ended_at timestamptz(3),
  -- The time for which both sides were connected, without the interval that began at running_since.
  connected_ms bigint not null default 0 check (connected_ms >= 0),
  -- The clock runs since then; null: it is stopped.
  running_since timestamptz(3),
  -- Since then an open call waits for one side to reconnect.
  interrupted_at timestamptz(3),
  -- The last warning about low funds, in remaining seconds; null: none.
  warned_seconds integer,
  -- When the call must be checked at the latest; null once it ended.
  next_due_at timestamptz(3),
  charged_cents bigint not null default 0,
  -- The creator's share of charged_cents.
  net_cents bigint not null default 0,
  -- The transaction that released the hold and charged the call, if anything was charged.
  transaction_id uuid,
  callback_requested_at timestamptz(3),
  -- When the creator saw that they missed the call.
  seen_at timestamptz(3),
  -- The creator had blocked the fan, so the call ended at once and does not exist for the creator.
  is_screened boolean not null default false,
  -- The reason that an operator gave for ending the call; null: no operator ended it.
  stop_reason text,
  stopped_by uuid references users(id) ON DELETE RESTRICT,
  unique (fan_id, operation_id),
  check ((charged_cents >= 0) and (charged_cents <= held_cents)),
  constraint calls_check1 check ((net_cents >= 0) and (net_cents <= charged_cents)),
  constraint calls_clock check ((running_since is null) or (status = 'received')),
  constraint calls_money check ((hold_id is not null) or (status = 'validate') or ((ended_at is not null) and (held_cents = 0))),
  constraint calls_open check (((ended_at is null) = (status in ('validate', 'calling', 'ringing', 'received'))) and ((ended_at is null) = (reason is null)) and ((ended_at is null) = (next_due_at is not null))),
  constraint calls_screened check ((not is_screened) or ((ended_at is not null) and (hold_id is null))),
  constraint calls_stopped check ((stop_reason is null) = (stopped_by is null))
) with (fillfactor=80);
create index calls_missed on calls (creator_id) where ((answered_at is null) and (seen_at is null));
create index calls_of_creator on calls (creator_id, id desc);
create index calls_of_fan on calls (fan_id, id desc);
create index calls_of_hold on calls (hold_id);
create index calls_of_transaction on calls (transaction_id) where (transaction_id is not null);
-- Unique because a user can be in only one open call.
create unique index calls_open_of_creator on calls (creator_id) where (ended_at is null);
-- Unique because a user can be in only one open call.
create unique index calls_open_of_fan on calls (fan_id) where (ended_at is null);
create index calls_stopped_by_operator on calls (id desc) where (stop_reason is not null);

-- The timeline of each call. The charge follows from `clockStarts` and `clockStops` only, and the ledger check
-- recalculates it from them.
create table call_events (
  call_id uuid references calls(id) ON DELETE RESTRICT,
  seq bigint generated always as identity,
  at timestamptz(3) not null,
  event text not null check (event in ('called', 'rang', 'answered', 'clockStarts', 'clockStops', 'tookOver', 'warned', 'extended', 'tipped', 'over')),
  -- Null: the server caused it.
  by_side text check (by_side in ('fan', 'creator')),
  -- The connected time of the call until the event.
  connected_ms bigint not null check (connected_ms >= 0),
  -- The transaction that placed or extended the hold, or released a part of it for a tip; null for other events.
  transaction_id uuid,
  primary key (call_id, seq)
);
create index call_events_of_transaction on call_events (transaction_id) where (transaction_id is not null);

-- When each side of an open call was last seen. Separate from calls so that heartbeats, which every process writes in
-- batches every few seconds, do not wait for the lock of the call. Rows are deleted when the call ends.
create table call_heartbeats (
  call_id uuid references calls(id) on delete cascade,
  side text check (side in ('fan', 'creator')),
  last_seen_at timestamptz(3) not null,
  -- Silence has consequences: the call rings, or its clock runs.
  is_watched boolean not null,
  primary key (call_id, side)
) with (fillfactor=50, autovacuum_vacuum_scale_factor=0.05);

-- moderation, copyright, support

-- A report, complaint, appeal, message, ticket or copyright notice until an operator has decided it. No column
-- references users, because cases outlive accounts. Rows are never deleted, and account deletion clears from_name and
-- from_email.
create table cases (
  id uuid primary key,
  -- The number that users see, such as SD-7K2M-9QXV.
  reference text not null unique,
  -- report, complaint, appeal, contact, ticket, copyright or counter (a counter-notice).
  kind text not null,
  -- reports, complaints, appeals, copyright, support or refunds.
  queue text not null,
  -- waiting means that the sender, or the claimant of a counter-notice, may respond.
  state text not null default 'open' check (state in ('open', 'waiting', 'closed')),
  opened_at timestamptz(3) not null,
  changed_at timestamptz(3) not null,
  -- The deadline for a response, or for a counter-notice the time by which the content must be restored.
  due_at timestamptz(3) not null,
  closed_at timestamptz(3),
  -- The sender's account, or null for a sender without login and for cases opened by operators.
  from_id uuid,
  from_name text not null default '',
  from_email citext not null default ''::citext,
  subject text check (subject in ('profile', 'post', 'message', 'call')),
  -- The id of the content of type subject that the case is about.
  subject_id uuid,
  -- The user whom the case is about.
  user_id uuid,
  title text not null,
  -- The address as the sender wrote it, for complaints, copyright notices and counter-notices.
  content_address text not null default '',
  -- The reported content at that time, as a list of names and values, because it may be deleted later.
  snapshot jsonb not null default '[]'::jsonb,
  -- The number of users who reported, each counted once.
  report_count integer not null default 0 check (report_count >= 0),
  assigned_to uuid,
  -- The decision that an appeal or a counter-notice is against.
  decision_id uuid,
  -- The action that closed the case, or settled when the sender closed it, or null while it is not closed.
  outcome text,
  -- The sender was not logged in, and an email address alone proves nothing.
  is_sender_unverified boolean not null default false,
  constraint cases_closed check ((state = 'closed') = (closed_at is not null)),
  constraint cases_subject check ((subject is null) = (subject_id is null))
);
create index cases_about on cases (user_id, id desc) where (user_id is not null);
create index cases_about_thing on cases (subject_id, subject, id desc) where (subject_id is not null);
-- Only an appeal of a verified sender uses up the one appeal against a decision.
create unique index cases_appealed_once on cases (decision_id) where ((kind = 'appeal') and (not is_sender_unverified));
-- Messages of unverified senders cannot open several appeals against one decision.
create unique index cases_appealed_unproven on cases (decision_id) where ((kind = 'appeal') and is_sender_unverified and (state <> 'closed'));
-- The job that clears contact details of old copyright cases reads it.
create index cases_copyright_ended on cases (closed_at) where ((kind in ('copyright', 'counter')) and (state = 'closed'));
-- A decision can have one counter-notice, and another one after a dismissal.
create unique index cases_countered_once on cases (decision_id) where ((kind = 'counter') and (outcome is distinct from 'dismiss'));
-- The job that restores content before the deadline reads it.
create index cases_counters_left on cases (due_at) where ((kind = 'counter') and (state <> 'closed'));
create index cases_ended on cases (closed_at desc, id desc) where (state = 'closed');
create index cases_ended_of_queue on cases (queue, closed_at desc, id desc) where (state = 'closed');
create index cases_of on cases (from_id, id desc) where (from_id is not null);
create index cases_of_address on cases (from_email, id desc) where (from_email <> ''::citext);
create index cases_open on cases (due_at, id) where (state = 'open');
create index cases_open_of on cases (assigned_to, due_at, id) where (state = 'open');
create index cases_open_of_queue on cases (queue, due_at, id) where (state = 'open');
-- Reports of the same content share one open case. user_id is included because each side of a call can be reported.
create unique index cases_reported_once on cases (subject, subject_id, user_id) where ((kind = 'report') and (state <> 'closed'));
create index cases_waiting on cases (changed_at desc, id desc) where (state = 'waiting');

-- What happened in a case, in the order of ids. Rows are only added.
create table case_entries (
  id uuid primary key,
  case_id uuid not null references cases(id),
  at timestamptz(3) not null,
  -- report and message come from users, reply goes to the sender, and the others are visible to operators only.
  kind text not null check (kind in ('report', 'message', 'reply', 'note', 'assigned', 'decision', 'undone')),
  -- Null for a writer without login and for automatic entries.
  by_id uuid,
  body text not null,
  -- The team member who wrote for the creator in by_id, or null if the creator wrote it.
  member_id uuid
);
create index case_entries_by on case_entries (by_id, kind, at desc) where (by_id is not null);
create index case_entries_of on case_entries (case_id, id);

-- A decision about a case. Rows are never deleted, and a reversal sets the columns undone_at, undone_by and
-- undo_reason. The status of an account or of content follows from all decisions in force.
create table case_decisions (
  id uuid primary key,
  case_id uuid not null references cases(id),
  -- The user whom the decision affects, or null if the case is about no user.
  user_id uuid,
  -- dismiss, close, warn, hide, remove, limitChat, limitPosting, limitPayouts, suspend, block, refund, uphold,
  -- overturn, restore or staysDown.
  action text not null,
  subject text,
  subject_id uuid,
  -- The title of the post, or the removed parts of the profile, for messages to the user.
  title text not null default '',
  reason text not null,
  -- The end of a restriction or suspension, or null for actions without an end.
  until timestamptz(3),
  -- Null for an automatic decision.
  operator_id uuid,
  at timestamptz(3) not null,
  -- The files, broadcast and profile parts that a reversal restores, or for a refund the ids of the sales.
  undo jsonb not null default '{}'::jsonb,
  undone_at timestamptz(3),
  -- Null for an automatic reversal.
  undone_by uuid,
  undo_reason text
);
create index case_decisions_about on case_decisions (user_id, id desc) where (user_id is not null);
-- The number that users see is made of the last ten hex digits of the id.
create index case_decisions_numbered on case_decisions ("right"((id)::text, 10));
create index case_decisions_of on case_decisions (case_id, id);
create index case_decisions_of_thing on case_decisions (subject_id) where (subject_id is not null);
-- It finds the removals in force that cover a file or an identical copy.
create index case_decisions_withheld on case_decisions using gin (((undo -> 'mediaIds'))) where ((action = 'remove') and (undone_at is null));

-- A picture that a user attaches to a case. The file is encrypted and has no public address. Account deletion deletes
-- the row and the file.
create table case_pictures (
  id uuid primary key,
  owner_id uuid not null,
  -- Null until the picture is sent, and a nightly job deletes pictures that are not sent within a day.
  entry_id uuid references case_entries(id),
  position smallint not null default 0,
  file_key text not null,
  width integer not null,
  height integer not null,
  uploaded_at timestamptz(3) not null
);
create index case_pictures_left on case_pictures (uploaded_at) where (entry_id is null);
create index case_pictures_of on case_pictures (entry_id, "position") where (entry_id is not null);
create index case_pictures_of_owner on case_pictures (owner_id);

-- Access of an operator to evidence, for one hour after an audited view. A nightly job deletes expired rows.
create table evidence_views (
  operator_id uuid,
  -- A media file, a chat file, a profile snapshot, or a case whose contact details were read.
  item_id uuid,
  until timestamptz(3) not null,
  primary key (operator_id, item_id)
);
create index evidence_views_over on evidence_views (until);

-- A reply template of operators. Saving one with the same title replaces it.
create table canned_responses (
  id uuid primary key,
  title text not null unique,
  body text not null,
  at timestamptz(3) not null
);

-- The formal statements of a copyright notice, beside its case. Three years after the case is closed, a job clears
-- email, address and telephone, and keeps name and signature as evidence.
create table copyright_notices (
  case_id uuid primary key references cases(id),
  -- Shared by the cases of one notice, because each address in it is a case of its own.
  notice_id uuid not null,
  at timestamptz(3) not null,
  name text not null,
  signature text not null,
  -- Empty once it was cleared, after which no counter-notice is accepted.
  email citext not null,
  address text not null,
  telephone text not null
);

-- The formal statements of a counter-notice, beside its case. Three years after the case is closed, a job clears
-- address and telephone.
create table copyright_counter_notices (
  case_id uuid primary key references cases(id),
  -- The case of the copyright notice.
  notice_case_id uuid not null references cases(id),
  user_id uuid not null,
  at timestamptz(3) not null,
  -- The earliest time to restore the content, while due_at of the case is the latest.
  restore_from timestamptz(3) not null,
  name text not null,
  signature text not null,
  address text not null,
  telephone text not null
);
create index copyright_counter_notices_of on copyright_counter_notices (user_id, case_id desc);

-- A profile at the time when it was reported or when parts of it were removed. A job deletes the row and its pictures
-- 186 days after the case is closed.
create table case_profile_snapshots (
  id uuid primary key,
  case_id uuid not null references cases(id),
  at timestamptz(3) not null,
  -- The texts and the names of the stored pictures, whose encrypted files are found by the row's id.
  snapshot jsonb not null
);
create index case_profile_snapshots_of on case_profile_snapshots (case_id, id);

-- chat

-- One row per creator and fan. Columns that exist twice hold the state of one side each. Instead of a status on every
-- message, the `*_seq` columns say up to which message a side has received, read or cleared the conversation; a pair
-- without messages has a row only while one side blocks the other.
create table conversations (
  id uuid primary key,
  creator_id uuid not null references users(id) on delete cascade,
  fan_id uuid not null references users(id) on delete cascade,
  -- In state `declined`, the fan can send a new request 30 days after declined_at.
  state text not null check (state in ('open', 'requested', 'declined')),
  requested_at timestamptz(3),
  declined_at timestamptz(3),
  -- Who of the two set a block is stored only here; blocks says only that the pair is blocked.
  is_blocked_by_creator boolean not null default false,
  is_blocked_by_fan boolean not null default false,
  is_muted_by_creator boolean not null default false,
  is_muted_by_fan boolean not null default false,
  creator_note text not null default '',
  fan_note text not null default '',
  -- The seq of the newest message.
  last_seq bigint not null default 0,
  -- The position in the creator's list; null: not in the list.
  creator_listed_at timestamptz(3),
  -- The position in the fan's list; null: not in the list.
  fan_listed_at timestamptz(3),
  creator_unread integer not null default 0 check (creator_unread >= 0),
  fan_unread integer not null default 0 check (fan_unread >= 0),
  creator_delivered_seq bigint not null default 0,
  fan_delivered_seq bigint not null default 0,
  creator_read_seq bigint not null default 0,
  fan_read_seq bigint not null default 0,
  -- Messages up to this seq are hidden from the creator, who deleted the conversation.
  creator_cleared_seq bigint not null default 0,
  -- Messages up to this seq are hidden from the fan, who deleted the conversation.
  fan_cleared_seq bigint not null default 0,
  -- Up to which broadcast of the creator the messages for this fan were created.
  broadcast_seq bigint not null default 0,
  created_at timestamptz(3) not null,
  -- Counted up by a trigger with each update, so that clients can tell which of two updates is newer.
  revision bigint not null default 0,
  unique (fan_id, creator_id)
) with (fillfactor=80, autovacuum_vacuum_scale_factor=0.05);
create index conversations_blocked_by_creator on conversations (creator_id, id desc) where is_blocked_by_creator;
create index conversations_blocked_by_fan on conversations (fan_id, id desc) where is_blocked_by_fan;
create index conversations_of_creator on conversations (creator_id, creator_listed_at desc, id desc) where ((state = 'open') and (creator_listed_at is not null));
create index conversations_of_fan on conversations (fan_id, fan_listed_at desc, id desc) where (fan_listed_at is not null);
create index conversations_requests on conversations (creator_id, creator_listed_at desc, id desc) where ((state = 'requested') and (creator_listed_at is not null));
create index conversations_unread_of_creator on conversations (creator_id, creator_listed_at desc, id desc) where ((state = 'open') and (creator_listed_at is not null) and (creator_unread > 0));
create index conversations_unread_of_fan on conversations (fan_id, fan_listed_at desc, id desc) where ((fan_listed_at is not null) and (fan_unread > 0));

-- Rows are never deleted while the conversation exists. Removing a message sets one of its timestamps or flags
-- instead.
create table messages (
  conversation_id uuid references conversations(id) on delete cascade,
  seq bigint,
  id uuid not null unique,
  sender_id uuid not null,
  -- Chosen by the sender's client so that a repeated request sends once; the sale of a tip, the call of a call
  -- message, the broadcast of a broadcast message.
  client_id uuid not null,
  is_from_creator boolean not null,
  type text not null check (type in ('text', 'image', 'document', 'video', 'audio', 'tipInfo', 'videoCallInfo')),
  -- Empty for messages of a broadcast, which share its text and files.
  text text not null default '',
  price_cents bigint not null default 0 check (price_cents >= 0),
  is_view_once boolean not null default false,
  broadcast_id uuid,
  -- Only for tips (transaction, amount, note) and calls; null for all other types.
  details jsonb,
  created_at timestamptz(3) not null,
  purchased_at timestamptz(3),
  -- When the recipient opened a view-once message, or the buyer a purchase.
  viewed_at timestamptz(3),
  -- Until then the files of an opened view-once message are served.
  viewable_until timestamptz(3),
  -- Since then the files of a view-once message are gone.
  removed_at timestamptz(3),
  -- Since then both sides do not see the message: its sender unsent it or deleted the account, or an operator took it
  -- down.
  unsent_at timestamptz(3),
  is_hidden_from_creator boolean not null default false,
  is_hidden_from_fan boolean not null default false,
  -- Counted up by a trigger with each update; clients get the sum of this and the broadcast's revision.
  revision bigint not null default 0,
  -- Set together with unsent_at when an operator takes the message down; the text is retained so that it can be
  -- restored.
  taken_down_at timestamptz(3),
  -- The member of the creator's team who wrote the message; null: the sender.
  author_id uuid references users(id) on delete set null,
  primary key (conversation_id, seq)
);
create index messages_of_broadcast on messages (broadcast_id, conversation_id) where (broadcast_id is not null);
-- Broadcast messages are left out because all of them share the sender and the client id.
create unique index messages_sent_once on messages (sender_id, client_id) where (broadcast_id is null);
create index messages_with_files on messages (conversation_id, type, seq desc) where (type in ('image', 'video', 'audio', 'document'));

-- Documents and voice messages, stored as they were uploaded. Account deletion deletes them, except those that a fan
-- bought.
create table chat_files (
  id uuid primary key,
  owner_id uuid not null references users(id) on delete cascade,
  kind text not null check (kind in ('document', 'audio')),
  file_name text not null,
  content_type text not null,
  byte_size bigint not null check (byte_size > 0),
  -- Null for documents.
  duration_seconds double precision,
  -- At most 100 levels from 0 to 1; empty for documents.
  waveform real[] not null default '{}'::real[],
  created_at timestamptz(3) not null,
  -- Since then an operator's takedown keeps everyone from loading the file, including its owner.
  taken_down_at timestamptz(3)
);
create index chat_files_of_owner on chat_files (owner_id, id);

-- media

-- Uploads of creators and fans with what processing made of them. The row is inserted when the upload begins, so that
-- every stored byte has an owner; unfinished uploads are deleted after a day. What an owner deletes moves to
-- deleted_media.
create table media (
  -- The id of the tus upload and a part of every storage key.
  id uuid primary key,
  owner_id uuid not null references users(id) on delete cascade,
  kind text not null default 'picture' check (kind in ('picture', 'video', 'audio')),
  status text not null check (status in ('uploading', 'processing', 'ready', 'failed')),
  -- The message that the owner sees; set only when status is `failed`.
  failure text,
  -- The name on the owner's device; shown and searched, never used in storage keys.
  file_name text not null default '',
  byte_size bigint not null check (byte_size >= 0),
  -- Detected from the content, not taken from the client; null until the upload is complete.
  content_type text,
  width integer,
  height integer,
  duration_seconds double precision,
  -- The widths in pixels that exist in the store.
  webp_widths integer[] not null default '{}'::integer[],
  -- The widths in pixels that exist in the store; empty until the AVIF job has run.
  avif_widths integer[] not null default '{}'::integer[],
  -- The width in pixels of the only JPEG.
  jpeg_width integer,
  -- Base64.
  thumbhash text,
  -- Base64, made from the locked preview, so that it reveals no more than the preview does.
  preview_thumbhash text,
  preview_height integer,
  -- The files are served to everyone because a published free post contains them; set by the posts module.
  is_public boolean not null default false,
  -- The JSON that API responses are made from, maintained by a trigger.
  metadata text not null default '',
  -- Since when a post or message uses the media; a post takes only unused media.
  used_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  -- When processing ended, as `ready` or `failed`.
  finished_at timestamptz(3),
  stage text not null default 'done' check (stage in ('queued', 'inspecting', 'packaging', 'encoding', 'improving', 'done')),
  -- From 0 to 1, of the current stage.
  progress real not null default 0,
  title text not null default '' check (length(title) <= 120),
  tags text[] not null default '{}'::text[],
  -- The default price of a post or message.
  price_cents bigint not null default 0 check (price_cents >= 0),
  -- Used in a post together with other media.
  is_in_set boolean not null default false,
  -- Counts the writers of files: each writes only under its own number, which is part of the storage key, because the
  -- content of a key never changes.
  serial integer not null default 0,
  -- The serial of the current picture or poster.
  picture_serial integer not null default 0,
  -- The time of the frame that is the poster; null for pictures and for a poster that the owner uploaded.
  poster_second double precision,
  -- The result of the inspection; used by processing only.
  source jsonb,
  -- The playable files; null for pictures and before processing.
  stream jsonb,
  captions jsonb not null default '[]'::jsonb,
  -- The teaser that the owner chose, in seconds; null: none.
  teaser_start double precision,
  teaser_end double precision,
  -- The serial of the teaser file; 0: none yet.
  teaser_serial integer not null default 0,
  -- The length of the existing teaser file; null until it exists.
  teaser_seconds double precision,
  -- The lower-case text for searches, maintained by a trigger; it begins with a space so that a space precedes each
  -- word.
  search_text text not null default '',
  avif_serial integer not null default 0,
  -- Since then an operator's takedown keeps everyone from loading the files, including the owner.
  taken_down_at timestamptz(3),
  -- SHA-256 of the uploaded file, by which identical copies are found; null until a job has computed it.
  content_hash bytea,
  check ((failure is not null) = (status = 'failed')),
  constraint media_check1 check ((status <> 'ready') or ((width > 0) and (height > 0) and (finished_at is not null))),
  constraint media_check2 check ((teaser_start is null) = (teaser_end is null))
);
-- The library filters by kind, set and use, and each combination needs an index in the order of the list because an
-- owner can have a million media.
create index media_library_of_type on media (owner_id, kind, is_in_set, id desc);
create index media_library_of_type_unused on media (owner_id, kind, is_in_set, id desc) where (used_at is null);
create index media_library_of_type_used on media (owner_id, kind, is_in_set, id desc) where (used_at is not null);
create index media_library_unused on media (owner_id, id desc) where (used_at is null);
create index media_library_used on media (owner_id, id desc) where (used_at is not null);
create index media_of_owner on media (owner_id, id desc);
create index media_same on media (content_hash) where (content_hash is not null);
-- The owner is in the index (with btree_gin) so that a search reads only the media of one owner.
create index media_search on media using gin (owner_id, search_text gin_trgm_ops);
create index media_unfinished on media (created_at) where (status = 'uploading');

-- chat

-- The files of a message or broadcast, in order.
create table chat_attachments (
  -- The id of a message or of a broadcast, so there is no foreign key.
  holder_id uuid,
  position smallint,
  media_id uuid references media(id) on delete cascade,
  file_id uuid references chat_files(id) on delete cascade,
  primary key (holder_id, "position"),
  check (num_nonnulls(media_id, file_id) = 1)
);
create index chat_attachments_of_file on chat_attachments (file_id) where (file_id is not null);
create index chat_attachments_of_media on chat_attachments (media_id) where (media_id is not null);

-- One row per unlocked message. The money itself is in the ledger, in the same transaction.
create table chat_purchases (
  transaction_id uuid primary key,
  fan_id uuid not null references users(id) on delete cascade,
  creator_id uuid not null,
  message_id uuid not null,
  -- The type of the message.
  type text not null,
  price_cents bigint not null,
  -- The creator's share, less partial refunds.
  net_cents bigint not null,
  purchased_at timestamptz(3) not null,
  -- The fan hid the purchase from the list; access remains.
  hidden_at timestamptz(3),
  -- The purchase was refunded in full; the message can be bought again.
  revoked_at timestamptz(3)
);
create unique index chat_purchases_once on chat_purchases (fan_id, message_id) where (revoked_at is null);
create index chat_purchases_shown on chat_purchases (fan_id, transaction_id desc) where ((hidden_at is null) and (revoked_at is null));

-- A row for each fan who followed, paid or chatted with a creator. It decides whom broadcasts may reach besides
-- followers, and whom a creator may write to first.
create table fan_creator_relations (
  fan_id uuid references users(id) on delete cascade,
  creator_id uuid references users(id) on delete cascade,
  since timestamptz(3) not null,
  -- The first purchase; null: none.
  bought_at timestamptz(3),
  -- The last follow, payment or message, where messages update it at most once an hour; null: none.
  active_at timestamptz(3),
  primary key (fan_id, creator_id)
);
create index fan_creator_relations_active on fan_creator_relations (creator_id, active_at) where (active_at is not null);
create index fan_creator_relations_buyers on fan_creator_relations (creator_id, bought_at) where (bought_at is not null);

-- A broadcast is stored once, however many fans receive it. A fan's message is created when the fan's inbox or
-- conversation is next read, or at once if the fan is online; `broadcast_seq` of the conversation says how far that
-- is.
create table broadcasts (
  id uuid primary key,
  creator_id uuid not null references users(id) on delete cascade,
  -- Follows the order of commits because it is assigned under the lock of the creator's row in broadcasters; null:
  -- not sent yet.
  seq bigint,
  -- Chosen by the creator's client so that a repeated request creates one broadcast.
  client_id uuid not null,
  type text not null check (type in ('text', 'image', 'document', 'video', 'audio')),
  text text not null,
  price_cents bigint not null default 0 check (price_cents >= 0),
  is_view_once boolean not null default false,
  -- `active` are fans with activity in the 30 days before sending, `notBought` are followers who own none of the
  -- attached media, `chosen` are fan_ids.
  audience text not null check (audience in ('chosen', 'followers', 'buyers', 'active', 'notBought')),
  fan_ids uuid[] not null default '{}'::uuid[],
  -- Leaves out fans who already own one of the attached media.
  exclude_buyers boolean not null default false,
  state text not null check (state in ('scheduled', 'sent', 'cancelled', 'unsent')),
  -- Null: sent at once.
  scheduled_at timestamptz(3),
  sent_at timestamptz(3),
  -- Null until a job has counted the recipients after sending.
  recipient_count bigint,
  created_at timestamptz(3) not null,
  -- Counted up by a trigger with each update; added to the revision of each message of the broadcast.
  revision bigint not null default 0,
  -- An operator took it down: no one else receives it, and those who have it lose it; `state` stays as it was.
  taken_down_at timestamptz(3),
  -- The member of the creator's team who wrote the broadcast; null: the creator.
  author_id uuid references users(id) on delete set null,
  unique (creator_id, client_id),
  check ((seq is null) = (sent_at is null))
);
create index broadcasts_scheduled on broadcasts (creator_id, scheduled_at) where (state = 'scheduled');
create unique index broadcasts_sent on broadcasts (creator_id, seq) where (seq is not null);

-- Creators who sent at least one broadcast. The row assigns `seq` to broadcasts, and `last_at` lets fans skip
-- creators without new ones.
create table broadcasters (
  creator_id uuid primary key references users(id) on delete cascade,
  last_seq bigint not null,
  last_at timestamptz(3) not null
);
create index broadcasters_lately on broadcasters (last_at);

-- Each broadcast is counted in eight rows, chosen by the fan, so that many fans who read it at once do not wait for
-- one row lock. The counts are the sums of these rows.
create table broadcast_counts (
  broadcast_id uuid references broadcasts(id) on delete cascade,
  shard smallint,
  delivered bigint not null default 0,
  read bigint not null default 0,
  purchased bigint not null default 0,
  -- The creator's share, less refunds; a single row can be negative.
  earned_cents bigint not null default 0,
  primary key (broadcast_id, shard)
) with (fillfactor=60);

-- When all conversations of a fan were last checked for new broadcasts. Written at most every ten minutes.
create table broadcast_cursors (
  fan_id uuid primary key references users(id) on delete cascade,
  caught_up_at timestamptz(3) not null
);

-- account-deletion

-- Deletion requests, one per user. A completed one stays as the record of the deletion; a cancelled one is deleted
-- when it would be due.
create table account_deletions (
  user_id uuid primary key references users(id) on delete cascade,
  requested_at timestamptz(3) not null,
  -- When erasure starts, unless the user logs in before; postponed by a day while something prevents it.
  due_at timestamptz(3) not null,
  -- When erasure started and became final; null before.
  started_at timestamptz(3),
  completed_at timestamptz(3),
  -- When the user was mailed that money became available to withdraw, for which the deletion waits.
  notified_at timestamptz(3)
);
create index account_deletions_due on account_deletions (due_at) where (completed_at is null);

-- entitlements

-- Access to paid content without a purchase. Revoking keeps the row, and a new grant clears revoked_at. No feature
-- grants access yet.
create table entitlement_grants (
  fan_id uuid references users(id) on delete cascade,
  -- A post or message, or a creator or broadcast for everything it contains; it has no foreign key because the table
  -- differs.
  subject_id uuid,
  source text check (source in ('gift', 'subscription')),
  granted_by uuid not null,
  -- Null for no end.
  until timestamptz(3),
  revoked_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (fan_id, subject_id, source)
);

-- feed

-- A fan's feed: one row for each post of a followed creator, except creators with so many followers that their posts
-- are merged at read time. There are no foreign keys, because jobs write and delete rows in batches and each read
-- joins the post. Vacuum runs after 5 % of changes because the table is large.
create table timelines (
  fan_id uuid,
  post_id uuid,
  creator_id uuid not null,
  type text not null,
  primary key (fan_id, post_id)
) with (autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_insert_scale_factor=0.05);

-- follows

create table follows (
  fan_id uuid references users(id) on delete cascade,
  creator_id uuid references users(id) on delete cascade,
  -- True if the creator is in fan_out_on_read_creators, so that their posts are merged into the feed when it is read.
  is_fan_out_on_read boolean not null default false,
  created_at timestamptz(3) not null default now(),
  -- False until the creator's latest posts are copied to the fan's timeline; until then the feed reads them from
  -- posts.
  is_timeline_filled boolean not null default true,
  primary key (fan_id, creator_id)
);
-- For the creator's list of followers by date.
create index follows_by_time on follows (creator_id, created_at desc, fan_id desc);
-- The follows whose posts the feed merges when it is read.
create index follows_merged on follows (fan_id, creator_id) where (is_fan_out_on_read or (not is_timeline_filled));
create index follows_of_creator on follows (creator_id, fan_id);

-- Creators with more than 10,000 followers at some time, whose posts are no longer copied to timelines. A creator
-- stays here for good, because the posts since then are missing from the timelines.
create table fan_out_on_read_creators (
  creator_id uuid primary key references users(id) on delete cascade,
  since timestamptz(3) not null default now()
);

-- tip-goals

-- Tip goals of creators, one open goal each. The raised amount is not stored, because it is the sum of the sales for
-- the goal. Account deletion empties the title and keeps the row.
create table tip_goals (
  id uuid primary key,
  creator_id uuid not null references users(id) on delete cascade,
  title text not null,
  target_cents bigint not null check (target_cents > 0),
  started_at timestamptz(3) not null,
  -- Null for no end; a goal that is past it counts no more tips but stays on the profile until it is closed.
  ends_at timestamptz(3),
  -- When the creator removed it from the profile.
  closed_at timestamptz(3),
  check (ends_at > started_at)
);
create index tip_goals_of_creator on tip_goals (creator_id, id);
create unique index tip_goals_open on tip_goals (creator_id) where (closed_at is null);

-- kill_switches

-- Features that operators disabled. No row means enabled. The audit log has the history.
create table kill_switches (
  -- signUp, newCreators, deposits, tips, calls, uploads, payouts, or maintenance, which stops all changes except
  -- those of operators.
  name text primary key,
  is_disabled boolean not null,
  -- Shown to users while disabled; empty for the default message.
  message text not null check (length(message) <= 300),
  changed_at timestamptz(3) not null
);

-- Banners at the top of pages, for a time. They are never edited, only ended early.
create table announcements (
  id uuid primary key,
  title text not null check ((length(title) >= 1) and (length(title) <= 80)),
  text text not null check (length(text) <= 500),
  level text not null check (level in ('info', 'important')),
  audience text not null check (audience in ('everyone', 'fans', 'creators')),
  is_dismissable boolean not null,
  begins_at timestamptz(3) not null,
  ends_at timestamptz(3) not null,
  -- When an operator ended it early; null otherwise.
  ended_at timestamptz(3),
  written_at timestamptz(3) not null,
  author_id uuid not null references users(id),
  check (ends_at > begins_at)
);
create index announcements_to_come on announcements (ends_at) where (ended_at is null);

-- ledger, ledger-checks

-- One account of the double-entry ledger. The valid codes are defined in ledger_account(). The fillfactor leaves room
-- for HOT updates, because each payment updates the row of a wallet.
create table ledger_accounts (
  id bigint primary key generated always as identity,
  code text collate "C" not null unique,
  -- One of asset, liability, revenue and expense, as the prefix of the code says.
  kind text not null,
  -- Null for accounts of the platform.
  owner_id uuid,
  -- A spendable account has an exact balance, which changes under a row lock, while others receive rows in
  -- ledger_inflows without a lock.
  spendable boolean not null,
  -- On the normal side of the account (debit for asset and expense, credit for liability and revenue), without the
  -- inflows that are not summed up yet.
  balance_cents bigint not null default 0,
  -- Number of the last statement line in ledger_lines, 0 for an account that is not spendable.
  lines bigint not null default 0,
  -- A frozen account is debited only by kinds of transactions with can_debit_frozen.
  is_frozen boolean not null default false,
  -- Daily spending limit for this wallet, null for the platform default in sales_settings.
  day_limit_cents bigint,
  -- The UTC day of the last spending, to which spent_cents, week_spent_cents and month_spent_cents refer.
  spent_day date,
  -- Includes money on hold.
  spent_cents bigint not null default 0,
  created_at timestamptz(3) not null default now(),
  currency text not null default 'USD',
  -- True if the freeze ends automatically when the debt is paid, false if only an operator can end it.
  is_frozen_for_debt boolean not null default false,
  -- The own limits are set by the fan for a UTC day, week and month, null for none.
  own_day_limit_cents bigint check (own_day_limit_cents >= 0),
  own_week_limit_cents bigint check (own_week_limit_cents >= 0),
  own_month_limit_cents bigint check (own_month_limit_cents >= 0),
  week_spent_cents bigint not null default 0,
  month_spent_cents bigint not null default 0,
  -- End of the self-exclusion from spending that the fan started.
  paused_until timestamptz(3),
  -- Time of the latest transaction on the statement, null if there is no line.
  last_line_at timestamptz(3),
  -- The longest time by which a line was written after a line with a later time, so that a binary search by time
  -- knows how far to look around.
  max_late_ms bigint not null default 0,
  constraint ledger_accounts_currency check (currency = 'USD'),
  constraint ledger_accounts_frozen_for_debt check (is_frozen or (not is_frozen_for_debt)),
  constraint ledger_accounts_not_negative check ((not spendable) or (balance_cents >= 0))
) with (fillfactor=60, autovacuum_vacuum_scale_factor=0.05);
create index ledger_accounts_frozen on ledger_accounts (code) where is_frozen;
-- The balance is not part of the index, because an indexed balance would prevent HOT updates.
create index ledger_accounts_in_debt on ledger_accounts (code) where (code ~~ 'asset:fan:%:receivable');
insert into ledger_accounts (id, code, kind, spendable) overriding system value values
  (1, 'rev:deposit_fee', 'revenue', false),
  (2, 'rev:platform_fee:tip', 'revenue', false),
  (3, 'rev:platform_fee:post', 'revenue', false),
  (4, 'rev:platform_fee:chat', 'revenue', false),
  (5, 'rev:platform_fee:call', 'revenue', false),
  (6, 'exp:chargeback_loss', 'expense', false),
  (7, 'rev:platform_fee:subscription', 'revenue', false),
  (8, 'exp:affiliate', 'expense', false);
select setval(pg_get_serial_sequence('ledger_accounts', 'id'), (select max(id) from ledger_accounts));

-- The immutable journal: one row is one balanced transaction with all its legs, so no leg can be added later. A
-- correction is a new transaction in ledger_reversals.
create table ledger_transactions (
  id uuid primary key,
  occurred_at timestamptz(3) not null,
  actor_id uuid,
  -- The idempotency key of the actor, null for transactions without a request; a retry returns the same transaction
  -- if request_hash is equal and is refused otherwise.
  operation_id uuid,
  -- A kind of ledger_kinds, which the posting functions check.
  kind text not null,
  request_hash bytea,
  account_ids bigint[] not null,
  -- Cents of each account in account_ids, two to six legs that add up to zero: positive is a debit, negative a
  -- credit.
  amounts ledger_amounts not null,
  metadata jsonb,
  -- The database transaction that wrote the row, so that checks and the transparency log find new rows whatever the
  -- order of commits; bigint because xid8 has no BRIN support.
  xid bigint not null default ((pg_current_xact_id())::text)::bigint,
  constraint ledger_transactions_paired check (cardinality(account_ids) = cardinality((amounts)::bigint[]))
);
create index ledger_transactions_of_kind on ledger_transactions (kind, occurred_at, id);
create unique index ledger_transactions_operation on ledger_transactions (operation_id, actor_id);
-- BRIN is enough for values in insertion order and costs inserts almost nothing.
create index ledger_transactions_xid on ledger_transactions using brin (xid) with (pages_per_range='32', autosummarize='on');

-- The immutable statement of each spendable account: every movement, numbered from 1 without gaps. Lines are in
-- chronological order except for late ones, see ledger_accounts.max_late_ms.
create table ledger_lines (
  account_id bigint,
  line bigint,
  transaction_id uuid not null,
  -- On the normal side of the account: positive increases the balance.
  amount_cents bigint not null,
  -- The balance after this line.
  balance_cents bigint not null,
  -- A copy of the transaction's kind, so that a statement of one kind needs no join.
  kind text not null,
  primary key (account_id, line)
);
-- For the filters of the wallet, and for counts, which leave out the parts of holds.
create index ledger_lines_of_kind on ledger_lines (account_id, kind, line);
-- BRIN is enough because transaction ids are in chronological order.
create index ledger_lines_transaction on ledger_lines using brin (transaction_id) with (pages_per_range='32', autosummarize='on');

-- The external event that a transaction answers. The primary key makes repeated deliveries of an event harmless.
create table ledger_external_refs (
  provider text,
  event_key text,
  transaction_id uuid not null unique references ledger_transactions(id),
  -- The transaction id of the provider, or the reference of a settlement; it may repeat.
  ref text,
  primary key (provider, event_key)
);
create index ledger_external_refs_ref on ledger_external_refs (provider, ref);

-- The transaction that each reversal reverses, fully or in part. A debt refers to the reversal that caused it.
create table ledger_reversals (
  transaction_id uuid primary key references ledger_transactions(id),
  reverses_id uuid not null references ledger_transactions(id)
);
create index ledger_reversals_of on ledger_reversals (reverses_id);

-- Amounts received by accounts that are not spendable, until ledger_sum_inflows() adds them to the sums and deletes
-- the rows. Rows live for about a minute, so autovacuum runs often and without delay.
create table ledger_inflows (
  account_id bigint not null,
  -- On the normal side of the account, negative for a reversal.
  amount_cents bigint not null,
  -- The platform's account in the same transaction, null if there is none; one row for both parts halves the inserts
  -- of a sale.
  platform_account_id bigint,
  platform_cents bigint,
  -- When the amount clears, null if it does not wait.
  due_at timestamptz(3),
  -- Set only together with due_at.
  transaction_id uuid,
  -- The UTC day of the sale, also for its refund.
  day date not null,
  -- 1 for a sale or commission, otherwise 0.
  items integer not null,
  -- The kind of the sale, also for its refund, commission:customer or commission:creator for a commission, otherwise
  -- the kind of the transaction.
  tag text not null
) with (autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_cost_delay=0);
create index ledger_inflows_account on ledger_inflows (account_id);

-- Summed inflows per account, UTC day and tag. The exact total adds the rows of ledger_inflows that are not summed up
-- yet. The fillfactor leaves room for HOT updates of the current day.
create table ledger_daily_totals (
  account_id bigint,
  day date,
  tag text,
  amount_cents bigint not null,
  items bigint not null,
  -- The platform's part of the same transactions, 0 for the platform's own accounts.
  platform_cents bigint not null default 0,
  primary key (account_id, day, tag)
) with (fillfactor=70);

-- Amounts on a pending account that wait until they are due. The row is deleted when the amount clears or is refunded
-- in full, and a partial refund reduces it.
create table ledger_pending_clearings (
  due_at timestamptz(3),
  -- The sale or commission.
  transaction_id uuid,
  account_id bigint,
  amount_cents bigint not null,
  primary key (due_at, transaction_id, account_id)
);
create index ledger_pending_clearings_of_account on ledger_pending_clearings (account_id, due_at) include (amount_cents);

-- Money set aside before the price is known, on the fan's call_hold account. A hold is resolved once, by capture or
-- release, and a job releases expired ones.
create table ledger_holds (
  -- The id of the transaction that placed the hold.
  id uuid primary key,
  fan_id uuid not null,
  -- Only call exists.
  purpose text not null,
  -- Includes extensions, without parts that were released for tips.
  amount_cents bigint not null check (amount_cents > 0),
  -- The part that was charged; the rest went back to the wallet.
  captured_cents bigint not null default 0,
  state text not null default 'held' check (state in ('held', 'captured', 'released')),
  -- The UTC day to whose spending spent_cents counts: the day of the hold or of its last extension.
  spent_day date not null,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  resolved_at timestamptz(3),
  -- The part that was set aside on spent_day.
  spent_cents bigint not null default 0,
  check ((captured_cents >= 0) and (captured_cents <= amount_cents)),
  constraint ledger_holds_check1 check ((state = 'held') = (resolved_at is null)),
  constraint ledger_holds_check2 check ((state = 'captured') or (captured_cents = 0)),
  constraint ledger_holds_spent check ((spent_cents >= 0) and (spent_cents <= amount_cents))
);
create index ledger_holds_of_fan on ledger_holds (fan_id, id);
create index ledger_holds_open on ledger_holds (expires_at) where (state = 'held');

-- The kinds of transactions and the accounts that each may move. A new kind is a row here and an entry in
-- contract/commerce/money-kinds.ts. Only title and statement_type may change, because the rules of a kind are in the
-- transparency log.
create table ledger_kinds (
  kind text primary key,
  title text not null,
  -- The type under which a fan's statement shows and filters it, see contract/commerce/money-kinds.ts.
  statement_type text not null,
  -- The account for the platform's fee, null if the kind is not a sale.
  fee_account text,
  -- Set by a trigger from fee_account.
  fee_account_id bigint,
  -- A fan can buy a subject only once and owns it until the sale is refunded in full.
  is_once boolean not null default false,
  -- LIKE patterns of account codes; any other leg is refused, and the same applies to credits.
  debits text[] not null,
  credits text[] not null,
  -- For kinds that are not spending, such as a chargeback or the repayment of a debt.
  can_debit_frozen boolean not null default false,
  constraint ledger_kinds_sale check (
case
    when (fee_account is null) then (not is_once)
    else ((fee_account ~~ 'rev:platform_fee:%') and (credits @> array['liab:creator:%:pending', fee_account]))
end)
);
insert into ledger_kinds (kind, title, statement_type, fee_account, fee_account_id, is_once, debits, credits, can_debit_frozen) values
  ('deposit', 'Deposit', 'deposit', null, null, false, '{asset:processor:%:clearing}', '{liab:fan:%:wallet,rev:deposit_fee}', false),
  ('settlement', 'Settlement', 'other', null, null, false, '{asset:bank:operating,exp:processor_fee}', '{asset:processor:%:clearing}', false),
  ('sale_refund', 'Refund', 'refund', null, null, false, '{liab:creator:%:pending,rev:platform_fee:%}', '{liab:fan:%:wallet}', false),
  ('clearing', 'Cleared', 'other', null, null, false, '{liab:creator:%:pending,liab:affiliate:%:pending}', '{liab:creator:%:available,liab:affiliate:%:available,asset:creator:%:receivable}', false),
  ('tip', 'Tip', 'tip', 'rev:platform_fee:tip', 2, false, '{liab:fan:%:wallet}', '{liab:creator:%:pending,rev:platform_fee:tip}', false),
  ('post', 'Post', 'post', 'rev:platform_fee:post', 3, true, '{liab:fan:%:wallet}', '{liab:creator:%:pending,rev:platform_fee:post}', false),
  ('chat', 'Chat Media', 'chat', 'rev:platform_fee:chat', 4, true, '{liab:fan:%:wallet}', '{liab:creator:%:pending,rev:platform_fee:chat}', false),
  ('call', 'Video Call', 'call', 'rev:platform_fee:call', 5, false, '{liab:fan:%:call_hold}', '{liab:creator:%:pending,rev:platform_fee:call,liab:fan:%:wallet}', false),
  ('deposit_refund', 'Refund to your card', 'refund', null, null, false, '{liab:fan:%:wallet,exp:chargeback_loss,rev:deposit_fee}', '{asset:processor:%:clearing}', true),
  ('deposit_return', 'Payment returned by the bank', 'refund', null, null, false, '{liab:fan:%:wallet,exp:chargeback_loss,rev:deposit_fee}', '{asset:processor:%:clearing}', true),
  ('deposit_chargeback', 'Chargeback', 'chargeback', null, null, false, '{liab:fan:%:wallet,exp:chargeback_loss,rev:deposit_fee}', '{asset:processor:%:clearing}', true),
  ('debt', 'Owed', 'debt', null, null, false, '{asset:fan:%:receivable}', '{exp:chargeback_loss}', false),
  ('processor_fee', 'Processor fee', 'other', null, null, false, '{exp:processor_fee}', '{asset:processor:%:clearing}', false),
  ('chargeback_fee', 'Chargeback fee', 'other', null, null, false, '{exp:chargeback_fee}', '{asset:processor:%:clearing}', false),
  ('commission', 'Commission', 'other', null, null, false, '{exp:affiliate}', '{liab:affiliate:%:pending}', false),
  ('commission_deposit', 'From your referrals', 'other', null, null, false, '{liab:affiliate:%:available}', '{liab:fan:%:wallet,rev:payout_fee}', false),
  ('payout_requested', 'Payout requested', 'other', null, null, false, '{liab:creator:%:available,liab:affiliate:%:available}', '{liab:creator:%:payout_reserved,liab:affiliate:%:payout_reserved}', false),
  ('payout_sent', 'Payout sent', 'other', null, null, false, '{liab:creator:%:payout_reserved,liab:affiliate:%:payout_reserved}', '{liab:payout_clearing:%,rev:payout_fee}', false),
  ('subscription', 'Subscription', 'subscription', 'rev:platform_fee:subscription', 7, true, '{liab:fan:%:wallet}', '{liab:creator:%:pending,rev:platform_fee:subscription}', false),
  ('hold', 'On hold', 'hold', null, null, false, '{liab:fan:%:wallet}', '{liab:fan:%:call_hold}', false),
  ('hold_extend', 'On hold', 'hold', null, null, false, '{liab:fan:%:wallet}', '{liab:fan:%:call_hold}', false),
  ('hold_release', 'Hold released', 'release', null, null, false, '{liab:fan:%:call_hold}', '{liab:fan:%:wallet}', false),
  ('clearing_return', 'Moved back to pending', 'other', null, null, false, '{liab:creator:%:available,asset:creator:%:receivable}', '{liab:creator:%:pending}', false),
  ('deposit_void', 'Payment canceled', 'refund', null, null, false, '{liab:fan:%:wallet,exp:chargeback_loss,rev:deposit_fee}', '{asset:processor:%:clearing}', true),
  ('debt_write_off', 'Debt canceled', 'debt', null, null, false, '{exp:chargeback_loss}', '{asset:fan:%:receivable}', false),
  ('chargeback_won', 'Chargeback reversed', 'chargeback', null, null, false, '{asset:processor:%:clearing}', '{liab:fan:%:wallet,asset:fan:%:receivable,exp:chargeback_loss,rev:deposit_fee}', false),
  ('hold_expired', 'Hold expired', 'release', null, null, false, '{liab:fan:%:call_hold}', '{liab:fan:%:wallet}', false),
  ('commission_return', 'Commission reversed', 'other', null, null, false, '{liab:affiliate:%:pending,liab:affiliate:%:available}', '{exp:affiliate}', false),
  ('payout_cancelled', 'Payout canceled', 'other', null, null, false, '{liab:creator:%:payout_reserved,liab:affiliate:%:payout_reserved}', '{liab:creator:%:available,liab:affiliate:%:available}', false),
  ('payout_paid', 'Payout paid', 'other', null, null, false, '{liab:payout_clearing:%}', '{asset:bank:operating}', false),
  ('payout_failed', 'Payout returned', 'other', null, null, false, '{liab:payout_clearing:%,asset:bank:operating,rev:payout_fee}', '{liab:creator:%:available,liab:affiliate:%:available}', false),
  ('debt_repayment', 'Debt repayment', 'debt', null, null, false, '{liab:fan:%:wallet}', '{asset:fan:%:receivable}', true),
  ('chargeback_upheld', 'Chargeback reinstated', 'chargeback', null, null, false, '{liab:fan:%:wallet,asset:fan:%:receivable,exp:chargeback_loss,rev:deposit_fee}', '{asset:processor:%:clearing}', true),
  ('earnings_withheld', 'Debt repayment', 'other', null, null, false, '{liab:creator:%:available}', '{asset:creator:%:receivable}', false),
  ('commission_uncleared', 'Commission moved back to pending', 'other', null, null, false, '{liab:affiliate:%:available,asset:affiliate:%:receivable}', '{liab:affiliate:%:pending}', false),
  ('commission_repayment', 'Commission repayment', 'other', null, null, false, '{liab:affiliate:%:available}', '{asset:affiliate:%:receivable}', false),
  ('payout_unsent', 'Payout failed', 'other', null, null, false, '{liab:payout_clearing:%,rev:payout_fee}', '{liab:creator:%:payout_reserved,liab:affiliate:%:payout_reserved}', false),
  ('processor_settlement', 'Processor settlement', 'other', null, null, false, '{asset:bank:operating,exp:processor_fee,exp:chargeback_fee}', '{asset:processor:%:clearing}', false),
  ('processor_settlement_return', 'Settlement reversed', 'other', null, null, false, '{asset:processor:%:clearing}', '{asset:bank:operating,exp:processor_fee,exp:chargeback_fee}', false);

-- The amounts that each clearing made available, one row per sale or commission. Rows are immutable.
create table ledger_clearings (
  -- The sale or commission.
  transaction_id uuid,
  account_id bigint references ledger_accounts(id) ON DELETE RESTRICT,
  -- The transaction that moved the sum of many amounts from pending to available.
  clearing_id uuid references ledger_transactions(id) ON DELETE RESTRICT,
  amount_cents bigint not null check (amount_cents > 0),
  primary key (transaction_id, account_id, clearing_id)
);
create index ledger_clearings_of on ledger_clearings (clearing_id);

-- One row per comparison that was made. All incomplete tries of one day share a row, which the next try updates.
create table reconciliation_runs (
  id uuid primary key default uuidv7(),
  -- One of sums, orders, processor and log, see COMPARISONS in the contract.
  comparison text not null,
  day date not null,
  -- False if only recent data was compared.
  is_full boolean not null,
  tries integer not null default 1,
  started_at timestamptz(3) not null,
  ended_at timestamptz(3) not null,
  outcome text not null check (outcome in ('clean', 'different', 'incomplete')),
  -- Why the comparison could not be completed, otherwise null.
  detail text,
  checked_count bigint not null,
  -- Only for a clean run of sums: all rows of database transactions before this id are verified.
  watermark bigint,
  -- The database cluster in which the watermark is valid.
  system_identifier text
);
create index reconciliation_runs_latest on reconciliation_runs (comparison, id desc);
create unique index reconciliation_runs_undone on reconciliation_runs (comparison, day) where (outcome = 'incomplete');

-- Something that does not agree, one row from the run that finds it until a run no longer does. Differences of sums
-- and log are alarms: they stop payouts until a later check passes and an operator explains them.
create table reconciliation_differences (
  id uuid primary key default uuidv7(),
  comparison text not null,
  kind text not null,
  -- Identifies the difference across runs, together with its kind.
  key text not null,
  -- When the cause happened, null if it has no single time.
  occurred_at timestamptz(3),
  -- Their amount and ours are null if the difference has no amount.
  theirs_cents bigint,
  ours_cents bigint,
  -- Ids and examples for operators.
  details jsonb not null,
  opened_at timestamptz(3) not null,
  -- The last run that found it.
  seen_at timestamptz(3) not null,
  -- When an operator explained it; reset to null when the amounts or details change.
  explained_at timestamptz(3),
  -- When a run no longer found it.
  resolved_at timestamptz(3)
);
-- An alarm stays here until it is explained, even if a later check passed.
create index reconciliation_differences_alarms on reconciliation_differences (comparison, opened_at) where ((explained_at is null) and (comparison in ('sums', 'log')));
create unique index reconciliation_differences_once on reconciliation_differences (comparison, kind, key) where (resolved_at is null);

-- The explanations of differences by operators. Rows are immutable.
create table reconciliation_explanations (
  id uuid primary key default uuidv7(),
  difference_id uuid not null references reconciliation_differences(id) ON DELETE RESTRICT,
  -- Null for the command line.
  actor_id uuid,
  reason text not null,
  explained_at timestamptz(3) not null,
  -- The database transaction that wrote the row, by which the transparency log finds new rows.
  xid bigint not null default ((pg_current_xact_id())::text)::bigint
);
create index reconciliation_explanations_of on reconciliation_explanations (difference_id);
create index reconciliation_explanations_xid on reconciliation_explanations (xid);

-- The sum of the journal entries of each account up to the watermark of the last clean run of sums. The next
-- incremental check continues from it.
create table ledger_verified_balances (
  account_id bigint primary key references ledger_accounts(id) ON DELETE RESTRICT,
  -- On the normal side of the account.
  cents bigint not null
);

-- Higher spending limits that a fan requested and that wait 24 hours. The row is deleted when
-- ledger_apply_limit_increases() applies it or the fan withdraws it.
create table ledger_limit_increases (
  wallet_id bigint references ledger_accounts(id),
  period text check (period in ('day', 'week', 'month')),
  -- Null removes the limit.
  cents bigint check (cents >= 0),
  effective_at timestamptz(3) not null,
  primary key (wallet_id, period)
);

-- The same sums as ledger_daily_totals per month and in total, written in the same transaction. They make a long
-- range cheap to read.
create table ledger_period_totals (
  account_id bigint,
  span text check (span in ('month', 'all')),
  -- The first day of the month, -infinity for the span all.
  first date,
  tag text,
  amount_cents bigint not null,
  items bigint not null,
  platform_cents bigint not null,
  primary key (account_id, span, first, tag)
);

-- media

-- The number of media of each owner, maintained by triggers so that long lists need not be counted. One row per
-- owner, so that a change waits for at most one lock.
create table media_counts (
  owner_id uuid primary key references users(id) on delete cascade,
  -- Keys are `kind:set|single:used|unused`; unfinished uploads are not counted.
  counts jsonb not null default '{}'::jsonb
);

-- How the media of an owner are served. A missing row means the defaults.
create table media_settings (
  owner_id uuid primary key references users(id) on delete cascade,
  is_watermarked boolean not null default false
);

-- Where a user stopped watching or listening. A position at the end deletes the row.
create table media_positions (
  user_id uuid references users(id) on delete cascade,
  media_id uuid references media(id) on delete cascade,
  seconds double precision not null check (seconds >= (0)::double precision),
  updated_at timestamptz(3) not null default now(),
  primary key (user_id, media_id)
);
create index media_positions_of_media on media_positions (media_id);

-- Media that their owners deleted. They can be restored for 30 days; then a job deletes the row and the files.
-- Account deletion and legal erasure delete them at once.
create table deleted_media (
  id uuid primary key,
  owner_id uuid not null references users(id) on delete cascade,
  deleted_at timestamptz(3) not null,
  -- The complete row of media, from which it is restored.
  medium jsonb not null
);
create index deleted_media_at on deleted_media (deleted_at);
create index deleted_media_of_owner on deleted_media (owner_id);

-- The results of the nightly comparison of media with the file store. Rows are deleted after 400 days.
create table media_audits (
  id bigint primary key generated always as identity,
  started_at timestamptz(3) not null,
  finished_at timestamptz(3) not null,
  -- The number of media that were checked.
  media bigint not null,
  files bigint not null,
  bytes bigint not null,
  -- Files that rows name and the store does not have.
  missing bigint not null,
  -- Files in the store that no row names.
  orphans bigint not null,
  -- Orphans that were deleted.
  removed bigint not null
);

-- What the latest audit found, file by file, at most 20,000 rows. An orphan file is deleted once it has been listed
-- for two days.
create table media_findings (
  -- The key of the file in the store.
  key text primary key,
  kind text not null check (kind in ('missing', 'orphan')),
  -- When an audit first found it.
  seen_at timestamptz(3) not null,
  -- When an audit last found it.
  audited_at timestamptz(3) not null
);
create index media_findings_of_kind on media_findings (kind, seen_at);

-- notifications, push

-- One row per user and event, so an event notifies a user once; a daily job deletes rows after 90 days. No foreign
-- keys, because a batch writes rows for many users at once. The low scale factors keep autovacuum frequent on a large
-- table.
create table notifications (
  user_id uuid,
  -- Id of the event; the time of the notification is the timestamp in this UUIDv7.
  id uuid,
  kind text not null,
  -- The user who caused it; null if none.
  by_id uuid,
  -- What it is about, such as a post, call or payout, depending on kind.
  subject_id uuid,
  -- The amount in the text; null if it has none.
  cents bigint,
  -- A detail that depends on kind, such as a status, a text or JSON.
  note text not null default '',
  read_at timestamptz(3),
  -- False when the user wants this kind by email but not in the app.
  is_listed boolean not null default true,
  -- When it was included in an email digest; each notification is in at most one.
  digested_at timestamptz(3),
  primary key (user_id, id)
) with (autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_insert_scale_factor=0.05);
create index notifications_unread on notifications (user_id, id) where (read_at is null);

-- When followers were last notified that a creator came online, which happens at most every six hours.
create table creator_online_notifications (
  creator_id uuid primary key references users(id) on delete cascade,
  -- The event that caused it, so that a retry of the same event continues.
  event_id uuid not null,
  notified_at timestamptz(3) not null
);

-- Preferences that differ from the default, which is push and in-app without email.
create table notification_preferences (
  user_id uuid references users(id) on delete cascade,
  -- A kind of notification, or newMessage.
  key text,
  push boolean not null,
  email boolean not null,
  in_app boolean not null,
  primary key (user_id, key)
);
create index notification_preferences_by_mail on notification_preferences (user_id) where email;

-- When a user last got an email digest, which is sent at most once in 24 hours.
create table notification_digests (
  user_id uuid primary key references users(id) on delete cascade,
  sent_at timestamptz(3) not null
);

-- Push subscriptions of browsers, at most 20 per user. Each belongs to a session and is deleted with it, or when the
-- push service reports that it no longer exists.
create table push_devices (
  id uuid primary key,
  user_id uuid not null references users(id) on delete cascade,
  session_id uuid not null references sessions(id) on delete cascade,
  -- URL at the push service; it moves to the account that subscribes last in that browser.
  endpoint text not null unique,
  -- Null, like auth, for the legacy push of Safari, which has no keys.
  p256dh text,
  auth text,
  subscribed_at timestamptz(3) not null,
  -- When a push was last delivered; null if never.
  last_notified_at timestamptz(3),
  constraint push_devices_keys check ((p256dh is null) = (auth is null))
);
create index push_devices_of_session on push_devices (session_id);
create index push_devices_of_user on push_devices (user_id, subscribed_at desc);

-- A push to one device about one event. It is due while started_at and outcome are null. A started one without
-- outcome was interrupted and is not sent again, because it may have arrived; a daily job deletes rows after 10 days.
create table push_deliveries (
  device_id uuid references push_devices(id) on delete cascade,
  -- Id of the event, or of the message or call.
  event_id uuid,
  user_id uuid not null,
  kind text not null,
  -- A push replaces the earlier one with the same tag on the device.
  tag text not null,
  -- 0 for ringing calls, 1 for urgent pushes, 2 for others; each rank has its own job.
  rank smallint not null,
  by_id uuid,
  subject_id uuid,
  cents bigint,
  note text not null default '',
  created_at timestamptz(3) not null,
  not_before timestamptz(3) not null,
  -- How often the push service did not accept it and it was delayed.
  attempts integer not null default 0,
  started_at timestamptz(3),
  -- The result (sent, refused, unknown, tooLarge, unfit) or why it was not sent: left (no valid session), late, over
  -- (no longer relevant), seen, quiet or capped.
  outcome text,
  primary key (device_id, event_id)
);
create index push_deliveries_due on push_deliveries (rank, not_before) where ((started_at is null) and (outcome is null));
create index push_deliveries_of_user on push_deliveries (user_id, created_at);
create index push_deliveries_old on push_deliveries (created_at);

-- Users without a row have the defaults: no quiet hours, UTC, 10 pushes per hour, no details.
create table push_settings (
  user_id uuid primary key references users(id) on delete cascade,
  -- HH:MM in time_zone, like quiet_until; null for no quiet hours, which may span midnight.
  quiet_from text,
  quiet_until text,
  time_zone text not null,
  -- Calls and security alerts do not count and are always pushed.
  pushes_per_hour integer not null,
  -- Pushes contain no names or details.
  is_discreet boolean not null
);

-- Creators whose new posts and online status are not pushed to a fan. The notifications are still listed in the app.
create table muted_creators (
  fan_id uuid references users(id) on delete cascade,
  creator_id uuid references users(id) on delete cascade,
  primary key (fan_id, creator_id)
);

-- Devices that the user removed, at most 100 per user. Automatic renewal by the browser does not add them again; a
-- subscription by the user does and deletes the row.
create table removed_push_devices (
  user_id uuid references users(id) on delete cascade,
  endpoint_hash bytea,
  removed_at timestamptz(3) not null,
  primary key (user_id, endpoint_hash)
);

-- Push services that refuse requests or fail, shown to operators. A row is deleted when the service accepts a push
-- again, or after 10 days without an error.
create table push_service_errors (
  service text primary key,
  -- refused points to a mistake in the requests, failing to a fault of the service.
  kind text not null check (kind in ('refused', 'failing')),
  -- The last HTTP status; null if there was no response.
  status integer,
  since timestamptz(3) not null,
  last_at timestamptz(3) not null,
  -- How many pushes failed.
  pushes integer not null
);

-- approvals

-- An action of an operator that needs a second one, or one that gives up money and was small enough to be done alone.
create table approval_requests (
  id uuid primary key,
  kind text not null check (kind in ('refund', 'won', 'writeOff', 'setting')),
  -- The case of a refund, the webhook of a chargeback (won), the fan who owes (writeOff), or the name of a setting.
  subject_id text not null,
  -- What operators see: the case reference, the processor's transaction, the username or the name of the setting.
  subject_label text not null,
  -- What is needed to carry it out: the sales of a refund, the reversals of a debt, or the value of a setting in USD,
  -- hours or days.
  payload jsonb not null,
  -- Null for a setting, which has no amount.
  amount_cents bigint check (amount_cents > 0),
  operator_id uuid not null references users(id),
  reason text not null,
  at timestamptz(3) not null,
  -- passed was done by one operator alone, confirmed and refused were decided later, withdrawn was replaced by another
  -- change of the same setting, and null waits for a second operator.
  outcome text check (outcome in ('passed', 'confirmed', 'refused', 'withdrawn')),
  ended_at timestamptz(3),
  -- Null while it waits, and when a job ended it.
  ended_by uuid references users(id),
  -- The database transaction that wrote the row, by which the transparency log finds new rows.
  xid bigint not null default ((pg_current_xact_id())::text)::bigint,
  check ((outcome is null) = (ended_at is null)),
  check ((kind = 'setting') = (amount_cents is null)),
  check (kind <> 'setting' or subject_id in ('secondApprover', 'coolingHours', 'clearingDays', 'dailySpend'))
);
create index approval_requests_ended on approval_requests (ended_at desc) where (outcome in ('confirmed', 'refused'));
-- It sums what one operator passed alone within 24 hours.
create index approval_requests_passed on approval_requests (at) where (outcome = 'passed');
create unique index approval_requests_waiting on approval_requests (kind, subject_id) where (outcome is null);
-- BRIN is enough because xid grows in the order of the rows.
create index approval_requests_xid on approval_requests using brin (xid) with (pages_per_range='32', autosummarize='on');

-- deposits, debts, reconciliation

-- One row per order at the card processor. The ledger holds what it added to the balance. Rows are financial records
-- and are never deleted.
create table deposits (
  id uuid primary key default uuidv7(),
  -- A single-use opaque id that travels through the payer's browser and returns in the webhook.
  order_id text not null unique,
  -- RESTRICT, because a financial record must not disappear with its user.
  fan_id uuid not null references users(id) ON DELETE RESTRICT,
  provider text not null,
  -- The amount added to the wallet; the fee comes on top, and payable_cents is charged to the card.
  amount_cents bigint not null check (amount_cents > 0),
  fee_cents bigint not null check (fee_cents >= 0),
  payable_cents bigint not null,
  -- Null when the fan entered an amount instead of buying credits.
  credits integer check (credits > 0),
  -- ISO 4217 numeric code; 840 is USD.
  currency_code text not null default '840',
  -- A reversed deposit stays success, and a failed one becomes success if the webhook of a payment made in time
  -- arrives late.
  status text not null default 'pending' check (status in ('pending', 'success', 'failed')),
  -- Shown to the fan: why the payment failed, was reversed or was restored; null otherwise.
  reason text check (length(reason) <= 200),
  -- Digits with leading zeros, so this and processor_transaction_id are text and never numbers.
  processor_subscription_id text,
  processor_transaction_id text,
  card_brand text,
  card_last4 text check (card_last4 ~ '^\d{4}$'),
  -- The ledger transaction that credited the deposit; null until then.
  transaction_id uuid unique,
  -- The part of payable_cents that went back to the card; a won chargeback lowers it again.
  reversed_payable_cents bigint not null default 0,
  -- The part of amount_cents that was reversed; a won chargeback lowers it again.
  reversed_cents bigint not null default 0,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- A pending order fails after this time, and a payment made later is quarantined for an operator.
  expires_at timestamptz(3) not null,
  paid_at timestamptz(3),
  -- The database transaction that inserted the row, by which the transparency log finds new rows regardless of the
  -- order of commits.
  xid bigint not null default ((pg_current_xact_id())::text)::bigint,
  -- The part of amount_cents that paid the fan's debt when the deposit was credited.
  debt_paid_cents bigint not null default 0,
  check (payable_cents = (amount_cents + fee_cents)),
  constraint deposits_check1 check ((reversed_payable_cents >= 0) and (reversed_payable_cents <= payable_cents)),
  constraint deposits_check2 check ((reversed_cents >= 0) and (reversed_cents <= amount_cents)),
  constraint deposits_check3 check ((status = 'success') = (transaction_id is not null)),
  constraint deposits_check4 check ((status = 'success') = (processor_transaction_id is not null)),
  constraint deposits_kept check ((debt_paid_cents >= 0) and (debt_paid_cents <= amount_cents))
);
create index deposits_of_fan on deposits (fan_id, updated_at desc, id desc);
create index deposits_paid on deposits (paid_at) where (paid_at is not null);
create index deposits_pending on deposits (expires_at) where (status = 'pending');
create index deposits_processor_subscription on deposits (provider, processor_subscription_id) where (processor_subscription_id is not null);
create unique index deposits_processor_transaction on deposits (provider, processor_transaction_id) where (processor_transaction_id is not null);
create index deposits_xid on deposits (xid);

-- Each webhook of the card processor, stored before it is processed. Only the fields that settlement and
-- reconciliation need are stored, without the payer's name, address and password. Rows are never deleted.
create table processor_webhooks (
  id uuid primary key default uuidv7(),
  provider text not null,
  -- Null when the webhook did not name one.
  event_type text,
  processor_transaction_id text,
  processor_subscription_id text,
  -- SHA-256 of the stored query and fields, or of the body if it could not be parsed, by which a repeated webhook is
  -- recognized.
  body_hash bytea not null,
  content_type text not null,
  -- IP address of the sender.
  peer text not null,
  -- The stored fields of the URL query.
  query jsonb not null,
  fields jsonb not null,
  -- The beginning of a body that could not be parsed, cut before any password; set to null after 30 days.
  raw text,
  -- received: to be processed; waiting: for its sale or for confirmation by the processor; ignored: no effect;
  -- quarantined: needs an operator; refunding: a refund was requested or its result is unknown; won: a chargeback
  -- that the bank reversed.
  state text not null check (state in ('received', 'waiting', 'processed', 'ignored', 'quarantined', 'dismissed', 'refunding', 'refunded', 'won')),
  -- Why it has this state, as text for operators.
  reason text,
  -- An earlier webhook has the same event and transaction but different content.
  is_conflicting boolean not null default false,
  -- Null when it matches no order.
  deposit_id uuid references deposits(id) ON DELETE RESTRICT,
  received_count integer not null default 1,
  received_at timestamptz(3) not null,
  -- When processing or an operator last set the state; null while received or waiting, or if it was quarantined on
  -- arrival.
  processed_at timestamptz(3),
  xid bigint not null default ((pg_current_xact_id())::text)::bigint,
  -- Time of a reversal as the processor writes it, which distinguishes partial reversals of one sale; empty for other
  -- events.
  reported_at text not null default '',
  -- When the processor confirmed a sale that its webhook does not prove; null if that was not needed or has not
  -- happened.
  confirmed_at timestamptz(3)
);
create index processor_webhooks_of_sale on processor_webhooks (provider, processor_subscription_id) where (state = 'waiting');
create index processor_webhooks_of_subscription on processor_webhooks (provider, processor_subscription_id);
create index processor_webhooks_of_transaction on processor_webhooks (provider, processor_transaction_id);
-- Each event counts once; reported_at allows several partial reversals of a sale, and conflicting webhooks are left
-- to an operator.
create unique index processor_webhooks_once on processor_webhooks (provider, event_type, processor_transaction_id, reported_at) where (not is_conflicting);
create index processor_webhooks_open on processor_webhooks (received_at) where (state in ('received', 'waiting'));
create index processor_webhooks_quarantined on processor_webhooks (received_at desc) where (state = 'quarantined');
create unique index processor_webhooks_same_body on processor_webhooks (provider, body_hash);
create index processor_webhooks_settled on processor_webhooks (processed_at) where ((state = 'processed') and (deposit_id is not null));
create index processor_webhooks_xid on processor_webhooks (xid);

-- Decisions of operators about quarantined webhooks, pending refunds and won chargebacks.
create table processor_webhook_decisions (
  id uuid primary key default uuidv7(),
  webhook_id uuid not null references processor_webhooks(id) ON DELETE RESTRICT,
  -- Null for a decision on the command line.
  actor_id uuid references users(id) ON DELETE RESTRICT,
  -- refunded and notRefunded record the result of a requested refund; won and notWon record whether the bank reversed
  -- a chargeback.
  decision text not null check (decision in ('retry', 'dismiss', 'refund', 'refunded', 'notRefunded', 'won', 'notWon')),
  reason text not null,
  decided_at timestamptz(3) not null,
  -- When a refund was requested from the processor, which happens only once; null for other decisions.
  requested_at timestamptz(3),
  -- The result of the requested refund; null until the processor responds and for other decisions.
  outcome text check (outcome in ('done', 'refused', 'unknown')),
  -- The processor's response, as text for operators.
  detail text,
  xid bigint not null default ((pg_current_xact_id())::text)::bigint
);
create index processor_webhook_decisions_of_event on processor_webhook_decisions (webhook_id);
create index processor_webhook_decisions_xid on processor_webhook_decisions (xid);

-- Days for which the daily export of the processor was downloaded, for reconciliation. Days are in the processor's
-- time zone (UTC-7 all year).
create table processor_export_days (
  provider text,
  day date,
  -- When the export was last downloaded.
  requested_at timestamptz(3) not null,
  -- When its rows last differed from the stored ones.
  changed_at timestamptz(3) not null,
  primary key (provider, day)
);

-- Rows of the processor's export that move money, without data of the payer. All rows of a day are replaced when a
-- newer export differs.
create table processor_exports (
  provider text,
  day date,
  line integer,
  -- As the processor names it: NEW, REBILL, REFUND, VOID or CHARGEBACK; null for a row that could not be parsed.
  type text,
  -- The start of a hash of the row if it could not be parsed.
  subscription_id text,
  amount_cents bigint,
  primary key (provider, day, line),
  foreign key (provider, day) references processor_export_days(provider, day) ON DELETE RESTRICT
);
create index processor_exports_of on processor_exports (provider, subscription_id);
create index processor_exports_unreadable on processor_exports (provider, day) where (type is null);

-- Decisions of operators about what a fan owes. A won chargeback is decided on its webhook instead.
create table debt_decisions (
  id uuid primary key default uuidv7(),
  fan_id uuid not null references users(id) ON DELETE RESTRICT,
  -- Null for a decision on the command line.
  actor_id uuid references users(id) ON DELETE RESTRICT,
  decision text not null check (decision in ('writeOff', 'block', 'unblock')),
  reason text not null,
  -- The amount written off, or the debt at the time spending was blocked or unblocked.
  amount_cents bigint not null check (amount_cents >= 0),
  decided_at timestamptz(3) not null,
  xid bigint not null default ((pg_current_xact_id())::text)::bigint
);
create index debt_decisions_of_fan on debt_decisions (fan_id, id);
create index debt_decisions_xid on debt_decisions (xid);

-- Payments of the card processor to the platform, as an operator booked them from its statement. The bank amount and
-- both fees are one ledger transaction. An incorrect settlement is reversed, never changed.
create table processor_settlements (
  id uuid primary key,
  provider text not null,
  -- The processor's name for the settlement.
  reference text not null,
  -- When the money reached the bank.
  day date not null,
  bank_cents bigint not null check (bank_cents >= 0),
  -- Retained by the processor, like chargeback_fee_cents.
  fee_cents bigint not null check (fee_cents >= 0),
  chargeback_fee_cents bigint not null check (chargeback_fee_cents >= 0),
  transaction_id uuid not null unique references ledger_transactions(id),
  operator_id uuid not null references users(id) ON DELETE RESTRICT,
  at timestamptz(3) not null,
  reversal_transaction_id uuid unique references ledger_transactions(id),
  reversed_by uuid references users(id) ON DELETE RESTRICT,
  reversed_at timestamptz(3),
  reversal_reason text,
  xid bigint not null default ((pg_current_xact_id())::text)::bigint,
  constraint processor_settlements_something check (((bank_cents + fee_cents) + chargeback_fee_cents) > 0),
  constraint processor_settlements_taken_back check (num_nulls(reversal_transaction_id, reversed_by, reversed_at, reversal_reason) = any (array[0, 4]))
);
create index processor_settlements_newest on processor_settlements (day desc, id desc);
-- Booking the same reference twice is refused, in any case of letters; a reversed settlement frees its reference.
create unique index processor_settlements_reference on processor_settlements (provider, lower(reference)) where (reversal_transaction_id is null);
-- BRIN is enough because xid grows with the table.
create index processor_settlements_xid on processor_settlements using brin (xid) with (pages_per_range='32', autosummarize='on');

-- payouts

-- One row with the payout rules that operators set. A change does not affect existing requests, except that a lower
-- second_approver_cents also applies to them.
create table payout_settings (
  id boolean primary key default true check (id),
  minimum_cents bigint not null default 2000 check (minimum_cents > 0),
  crypto_minimum_cents bigint not null default 5000 check (crypto_minimum_cents > 0),
  -- Commission must reach this amount and the minimum of the payout method.
  referrals_minimum_cents bigint not null default 5000 check (referrals_minimum_cents > 0),
  -- Fee on payouts of commission, in hundredths of a percent.
  referrals_fee_basis_points integer not null default 200 check ((referrals_fee_basis_points >= 0) and (referrals_fee_basis_points <= 9999)),
  -- Hours until a new payout method can be used.
  cooling_hours integer not null default 72 check (cooling_hours >= 0),
  -- Above this amount, two operators must approve a payout and other actions that give up money, also when one
  -- operator splits it within 24 hours.
  second_approver_cents bigint not null default 100000 check (second_approver_cents >= 0)
);
insert into payout_settings default values;

-- A destination for payouts. The destination of a row never changes: a replaced method gets a new row, and existing
-- requests keep the old one. Rows are never deleted, and account deletion sets removed_at.
create table payout_methods (
  id uuid primary key,
  user_id uuid not null references users(id) ON DELETE RESTRICT,
  kind text not null check (kind in ('ach', 'paypal', 'crypto')),
  -- How the money is sent: wire is a bank account outside the USA.
  rail text not null check (rail in ('ach', 'wire', 'paypal', 'crypto')),
  -- The account details as JSON, encrypted with a key derived from the configuration and bound to the row's id.
  encrypted_details bytea not null,
  -- A masked description by which the owner recognizes the method.
  label text not null,
  -- The blockchain, only for crypto.
  network text,
  created_at timestamptz(3) not null,
  -- The end of the cooling period.
  usable_at timestamptz(3) not null,
  removed_at timestamptz(3),
  -- Set when a payout came back because the account does not exist or is closed, after which the method is no longer
  -- paid.
  invalid_at timestamptz(3),
  -- The bank's return code, such as R03.
  invalid_code text,
  constraint payout_methods_network check ((kind = 'crypto') = (network is not null)),
  constraint payout_methods_rail check (((kind = 'ach') = (rail in ('ach', 'wire'))) and ((kind = 'ach') or (kind = rail)))
);
create index payout_methods_of_user on payout_methods (user_id, id) where (removed_at is null);

-- Payouts of one rail that are sent together: an ACH file, a list for manual transfers or one PayPal call.
create table payout_batches (
  id uuid primary key,
  rail text not null check (rail in ('ach', 'wire', 'paypal', 'crypto')),
  -- ready is a file to be sent by hand, sending and unknown wait for PayPal's response, sent was accepted by PayPal,
  -- refused was declined as a whole.
  state text not null check (state in ('ready', 'sending', 'unknown', 'sent', 'refused')),
  created_by uuid not null,
  created_at timestamptz(3) not null,
  file_name text,
  -- The payout file with full account numbers, encrypted with a key derived from the configuration, or null for
  -- PayPal.
  encrypted_file bytea,
  -- PayPal's ID of the batch, or null until PayPal accepted it.
  provider_ref text,
  -- Why the batch was refused or why its result is unknown.
  detail text,
  -- When the latest result of the handover was stored.
  tried_at timestamptz(3),
  -- Calls to PayPal without a known response, counted before each call, because a refusal proves nothing while an
  -- earlier call may have been accepted.
  unanswered_count integer not null default 0 check (unanswered_count >= 0),
  -- The payouts at creation, including those that left the batch later.
  item_count integer not null check (item_count > 0),
  -- The sum after fees at creation.
  net_cents bigint not null check (net_cents > 0)
);
-- Sent batches are included because PayPal is polled until all their payouts are final.
create index payout_batches_open on payout_batches (id) where ((rail = 'paypal') and (state in ('sending', 'unknown', 'sent')));

-- A payout request. Amount, method and user never change. The values of status and transfer are spelled as in the
-- product specification.
create table payouts (
  id uuid primary key,
  user_id uuid not null references users(id) ON DELETE RESTRICT,
  source text not null check (source in ('earnings', 'referrals')),
  -- The reserved amount, from which fee_cents is deducted before sending.
  amount_cents bigint not null check (amount_cents > 0),
  fee_cents bigint not null,
  method_id uuid not null references payout_methods(id) ON DELETE RESTRICT,
  -- A payout schedule made the request.
  is_automatic boolean not null default false,
  -- The ledger transaction that reserved the money.
  transaction_id uuid not null unique,
  status text not null check (status in ('requested', 'approved', 'rejected', 'transfered', 'inreview', 'cancel')),
  -- Null until the request is approved, and cancelled if it was rejected between approval and sending.
  transfer text check (transfer in ('pending', 'processed', 'cancelled', 'failed')),
  -- Why the request was rejected or failed, shown to the user.
  reason text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- The database transaction that wrote the row, by which the transparency log finds new rows in any commit order (a
  -- bigint because xid8 has no BRIN operator class).
  xid bigint not null default ((pg_current_xact_id())::text)::bigint,
  -- The number that users and operators see, such as PO-000001.
  number bigint not null generated always as identity,
  -- Null until the payout is sent, and again after PayPal refused its batch.
  batch_id uuid references payout_batches(id),
  -- The ledger transaction that moved the money to the clearing account.
  sent_transaction_id uuid,
  -- The ledger transaction that recorded the arrival.
  paid_transaction_id uuid,
  -- The ID outside of the platform: PayPal's item or the blockchain transaction.
  reference text,
  -- The approvals needed under the limit at the time of the request, so that raising the limit does not release a
  -- waiting payout.
  approvals_needed smallint not null default 1 check ((approvals_needed >= 1) and (approvals_needed <= 2)),
  -- The batch that PayPal refused, while the payout waits to be sent again.
  refused_batch_id uuid references payout_batches(id),
  constraint payouts_number unique (number),
  check ((fee_cents >= 0) and (fee_cents < amount_cents)),
  constraint payouts_refused check ((refused_batch_id is null) or (batch_id is null)),
  constraint payouts_sent check (((batch_id is null) = (sent_transaction_id is null)) and ((paid_transaction_id is null) or (sent_transaction_id is not null))),
  constraint payouts_transfer check (
case status
    when 'approved' then (transfer = 'pending')
    when 'transfered' then (transfer = 'processed')
    when 'rejected' then ((transfer is null) or (transfer in ('cancelled', 'failed')))
    else (transfer is null)
end)
);
create index payouts_by_status on payouts (status, updated_at desc, id desc);
create index payouts_of_batch on payouts (batch_id, number);
create index payouts_of_user on payouts (user_id, source, updated_at desc, id desc);
create index payouts_refused on payouts (refused_batch_id) where (refused_batch_id is not null);
create index payouts_to_method on payouts (method_id) where (status in ('requested', 'inreview', 'approved'));
-- BRIN is enough because xid grows in the order of the rows.
create index payouts_xid on payouts using brin (xid) with (pages_per_range='32', autosummarize='on');

-- The history of a payout in the order of seq. Rows are only added.
create table payout_events (
  payout_id uuid references payouts(id) ON DELETE RESTRICT,
  seq bigint generated always as identity,
  at timestamptz(3) not null,
  -- queued waits to be sent, unknown means that PayPal's result is unknown, unsent means that PayPal refused the
  -- batch, broadcast and confirming are states on a blockchain.
  event text not null check (event in ('requested', 'inreview', 'approved', 'rejected', 'cancelled', 'queued', 'sent', 'broadcast', 'confirming', 'unknown', 'unsent', 'paid', 'failed', 'returned')),
  -- The operator or the user, or null for an automatic event.
  by_id uuid,
  reason text not null default '',
  -- The ledger transaction of the event, or null if no money moved.
  transaction_id uuid,
  primary key (payout_id, seq)
);

-- An operator's approval of a payout. Approvals stay when the payout is rejected later.
create table payout_approvals (
  payout_id uuid references payouts(id) ON DELETE RESTRICT,
  operator_id uuid,
  at timestamptz(3) not null,
  primary key (payout_id, operator_id)
);

-- An automatic payout of the whole available balance, at an interval or above an amount. A nightly job makes the
-- requests. Rows are deleted when the user turns it off and with the account.
create table payout_schedules (
  user_id uuid references users(id) on delete cascade,
  source text check (source in ('earnings', 'referrals')),
  method_id uuid not null references payout_methods(id) ON DELETE RESTRICT,
  -- The values are spelled as in the product specification.
  recurrence text check (recurrence in ('weekly', 'monthaly', 'yearly')),
  threshold_cents bigint check (threshold_cents > 0),
  -- The day from which weeks, months or years are counted.
  since date not null,
  -- The last day on which the job checked the schedule.
  checked_on date not null,
  -- The last due day if the request was refused then, or null if it was accepted.
  refused_on date,
  -- The message shown to the user.
  refusal_reason text,
  primary key (user_id, source),
  constraint payout_schedules_one check ((recurrence is null) <> (threshold_cents is null)),
  constraint payout_schedules_refused check ((refused_on is null) = (refusal_reason is null))
);

-- A verified webhook of PayPal about payouts, stored once by PayPal's ID. What is recorded is the status that PayPal
-- returns on a query, not the content of the webhook.
create table payout_webhooks (
  id text primary key,
  event_type text not null,
  -- PayPal's ID of the batch.
  batch_ref text,
  -- PayPal's ID of the item.
  item_ref text,
  -- The payout id that was sent to PayPal with the item, as text because it may match no payout.
  payout_ref text,
  -- received waits for processing, booked is processed, ignored is not about payouts, quarantined waits for an
  -- operator, dismissed was left as it is by an operator.
  state text not null check (state in ('received', 'booked', 'ignored', 'quarantined', 'dismissed')),
  -- Why it was quarantined or ignored, or the reason of the operator who decided.
  reason text,
  received_at timestamptz(3) not null,
  received_count integer not null default 1
);
create index payout_webhooks_of_state on payout_webhooks (state, received_at desc, id desc);

-- A decision of an operator about a quarantined webhook.
create table payout_webhook_decisions (
  id uuid primary key default uuidv7(),
  webhook_id text not null references payout_webhooks(id) ON DELETE RESTRICT,
  actor_id uuid not null references users(id) ON DELETE RESTRICT,
  decision text not null check (decision in ('retry', 'dismiss')),
  reason text not null,
  decided_at timestamptz(3) not null
);
create index payout_webhook_decisions_of_notice on payout_webhook_decisions (webhook_id);

-- A report of one operator that a sent payout failed or came back, which waits for the report of a second one. It
-- counts for seven days, and only while sent_transaction_id and the arrival are unchanged.
create table payout_failure_claims (
  id uuid primary key,
  payout_id uuid not null references payouts(id),
  -- The sending that the report is about.
  sent_transaction_id uuid not null,
  -- Whether the payout counted as arrived at the time of the report.
  has_arrived boolean not null,
  operator_id uuid not null references users(id),
  step text not null check (step in ('failed', 'returned')),
  reason text not null,
  at timestamptz(3) not null
);
create index payout_failure_claims_of on payout_failure_claims (payout_id);

-- legal

-- One row with the details of the company that legal texts show. Empty text means that an operator has not set it
-- yet.
create table company_details (
  id boolean primary key default true check (id),
  company text not null default '',
  address text not null default '',
  country text not null default '',
  contact_mail text not null default '',
  dmca_agent text not null default '',
  dmca_address text not null default '',
  dmca_mail text not null default '',
  dmca_phone text not null default '',
  -- The person who keeps the records that 18 U.S.C. 2257 requires.
  custodian text not null default '',
  custodian_address text not null default '',
  custodian_hours text not null default ''
);
insert into company_details default values;

-- A legal text as it read when users agreed to it, stored once. Amounts in a text follow the settings, so one version
-- can have several rows.
create table policy_texts (
  -- SHA-256 of policy, version and sections.
  hash text primary key check (hash ~ '^[0-9a-f]{64}$'),
  policy text not null check (policy <> ''),
  version date not null,
  sections jsonb not null,
  -- When the first user agreed to the text in this form.
  agreed_since timestamptz(3) not null
);

-- Evidence that a user agreed to a version of a legal text. Rows are never updated, and account deletion deletes
-- them.
create table policy_agreements (
  user_id uuid references users(id) ON DELETE RESTRICT,
  -- The key of the text, such as terms-of-service.
  policy text check (policy <> ''),
  version date,
  -- How the user agreed: at sign-up, or when a new version was shown.
  source text not null check (source in ('signUp', 'prompted')),
  agreed_at timestamptz(3) not null,
  -- Null if the text was not stored with the agreement.
  text_hash text references policy_texts(hash) ON DELETE RESTRICT,
  primary key (user_id, policy, version)
);
create index policy_agreements_of_text on policy_agreements (text_hash);
-- It finds the latest agreed text of a version.
create index policy_agreements_of_version on policy_agreements (policy, version, agreed_at) where (text_hash is not null);

-- The progress of notifying all users about a new version of a legal text. A job notifies one page of users each
-- minute, in the order of ids.
create table policy_notice_runs (
  policy text,
  version date,
  -- The last user who was processed.
  last_id uuid not null default '00000000-0000-0000-0000-000000000000'::uuid,
  notified_count integer not null default 0,
  started_at timestamptz(3) not null,
  -- Null while users remain.
  done_at timestamptz(3),
  primary key (policy, version)
);

-- posts

-- Posts of creators. Ids are UUIDv7, so lists are ordered by id. The fillfactor leaves room for HOT updates of
-- like_count.
create table posts (
  id uuid primary key default uuidv7(),
  creator_id uuid not null references users(id) on delete cascade,
  type text not null check (type in ('picture', 'pictureSet', 'video', 'audio')),
  caption text not null default '' check (length(caption) <= 4000),
  -- 0 for a free post.
  price_cents bigint not null default 0 check (price_cents >= 0),
  -- 0 only for a post that was removed unsold, whose files were released to its creator.
  media_count integer not null,
  -- JSON with the metadata and alt texts of the files in their order, so that a page of posts needs no join with
  -- media; maintained by build_post_media_metadata() and a trigger on media.
  media_metadata text not null,
  like_count bigint not null default 0 check (like_count >= 0),
  created_at timestamptz(3) not null default now(),
  edited_at timestamptz(3),
  -- A removed post stays visible to its buyers.
  removed_at timestamptz(3),
  -- PostDetails of contract/content/post-details.ts.
  details jsonb not null default '{}',
  -- Whether post_people has rows to show; few posts have any, so the others are read without a lookup.
  has_people boolean not null default false,
  -- False while the post is being copied to the timelines of followers; until then the feed reads it from here.
  in_timelines boolean not null default true,
  -- Increases when files leave the post, so that a fan buys only the files they saw.
  files_revision integer not null default 1,
  -- When an operator hid the post; its files stay as evidence.
  hidden_at timestamptz(3),
  -- True if hiding removed the post, so that it is published again when an operator shows it.
  is_taken_down boolean not null default false,
  -- When the creator deleted the post while it was hidden; it is then not published again.
  deleted_at timestamptz(3),
  pin_place smallint check ((pin_place >= 1) and (pin_place <= 3)),
  constraint posts_media_count_check check ((media_count > 0) or (removed_at is not null))
) with (fillfactor=85);
create index posts_on_their_way on posts (id desc) where (not in_timelines);
create unique index posts_pinned on posts (creator_id, pin_place) where (pin_place is not null);
create index posts_published on posts (creator_id, id desc) where (removed_at is null);
create index posts_removed on posts (creator_id, id desc) where (removed_at is not null);

create table post_media (
  post_id uuid references posts(id) on delete cascade,
  position smallint check ("position" >= 0),
  -- Unique because a file is in at most one post.
  media_id uuid not null unique references media(id),
  alt text not null default '' check (length(alt) <= 500),
  primary key (post_id, "position")
);

create table post_likes (
  post_id uuid references posts(id) on delete cascade,
  user_id uuid references users(id) on delete cascade,
  created_at timestamptz(3) not null default now(),
  primary key (post_id, user_id)
);
create index post_likes_of_user on post_likes (user_id, post_id);

-- The purchase that gives a fan access to a post. It has no foreign keys, because each would lock the post's row,
-- which becomes a hot spot when many fans buy at once.
create table post_purchases (
  -- Also the id of the sale.
  transaction_id uuid primary key,
  fan_id uuid not null,
  post_id uuid not null,
  price_cents bigint not null check (price_cents > 0),
  -- The creator's part after the platform's fee and refunds.
  net_cents bigint not null check (net_cents >= 0),
  purchased_at timestamptz(3) not null default now(),
  -- When the fan removed it from their list; access remains.
  hidden_at timestamptz(3),
  -- When the sale was refunded in full and access ended.
  revoked_at timestamptz(3)
);
create index post_purchases_given_back on post_purchases (post_id) include (price_cents) where (revoked_at is not null);
create index post_purchases_of_fan on post_purchases (fan_id, transaction_id desc) where ((revoked_at is null) and (hidden_at is null));
create index post_purchases_of_post on post_purchases (post_id) include (net_cents) where (revoked_at is null);
create unique index post_purchases_once on post_purchases (fan_id, post_id) where (revoked_at is null);

-- Creators who are tagged in a post.
create table post_people (
  post_id uuid references posts(id) on delete cascade,
  user_id uuid references users(id) on delete cascade,
  position smallint not null check ("position" >= 0),
  -- When the creator removed themselves; the row stays so that they cannot be tagged again.
  left_at timestamptz(3),
  primary key (post_id, user_id)
);
create index post_people_of_user on post_people (user_id, post_id);

-- profiles

-- One row per viewer, creator and UTC day, so that repeated views count once. A job deletes rows after two days.
create table profile_views (
  day date,
  creator_id uuid,
  -- A keyed hash of the user, or of IP address and browser, that changes every day.
  viewer bytea,
  primary key (day, creator_id, viewer)
);

-- New display names of verified creators, each of which needs a review before it carries the badge. Account deletion
-- clears the names and leaves the row.
create table name_reviews (
  id uuid primary key,
  creator_id uuid not null references users(id) on delete cascade,
  name text not null,
  -- The reviewed name that the new name replaces.
  verified_name text not null,
  requested_at timestamptz(3) not null,
  -- Null while the review waits; withdrawn if the creator changed the name again or the account was deleted.
  decision text check (decision in ('approved', 'declined', 'withdrawn')),
  reason text not null default '',
  decided_at timestamptz(3),
  constraint name_reviews_decided check ((decision is null) = (decided_at is null))
);
create index name_reviews_of_creator on name_reviews (creator_id, id);
create unique index name_reviews_waiting on name_reviews (creator_id) where (decision is null);

-- The sites that may embed a creator's content in frames. Without a row every site may.
create table embed_settings (
  creator_id uuid primary key references users(id) on delete cascade,
  allowed text not null check (allowed in ('any', 'named', 'none')),
  -- Empty unless allowed is named.
  origins text[] not null default '{}'::text[] check (cardinality(origins) <= 20)
);

-- The search index of listed creators: one row per term of their profile. Maintained by triggers on creators.
create table creator_search_terms (
  creator_id uuid references users(id) on delete cascade,
  term text collate "C",
  -- The binary logarithm of the follower count, rounded down, so that it rarely changes.
  rank smallint not null,
  primary key (creator_id, term)
);
create index creator_search_terms_by_rank on creator_search_terms (term, rank desc, creator_id desc);
create index creator_search_terms_newest on creator_search_terms (term, creator_id desc);

-- Every term that at least one listed creator has. Maintained by triggers on creators.
create table search_terms (
  term text collate "C" primary key,
  -- The term and its variants without one letter, which correct typos; empty for terms under 3 or over 20 letters.
  deletion_variants text[] not null,
  -- The highest rank of its creators, so that a search by first letters finds the most followed ones.
  best_rank smallint not null
);
create index search_terms_by_letter on search_terms (left(term, 1), best_rank desc, term);
create index search_terms_by_two_letters on search_terms (left(term, 2), best_rank desc, term);
create index search_terms_by_three_letters on search_terms (left(term, 3), best_rank desc, term);
-- Without fastupdate, a search never has to scan a pending list.
create index search_terms_deletion_variants on search_terms using gin (deletion_variants) with (fastupdate=off);

-- The suffixes of every term, for searches within words. Maintained by triggers on creators.
create table search_term_suffixes (
  -- At least three letters, or one in scripts without blanks, cut to 15.
  suffix text collate "C",
  term text collate "C",
  primary key (suffix, term)
);

-- drafts

-- Posts before they are published. A draft with scheduled_at is published by a job at that time. Publishing deletes
-- the row.
create table drafts (
  id uuid primary key,
  creator_id uuid not null references users(id) on delete cascade,
  -- Counted up with each change, so that of two concurrent changes the second is refused.
  version integer not null default 1,
  caption text not null default '' check (length(caption) <= 4000),
  price_cents bigint not null default 0 check (price_cents >= 0),
  -- PostDetails of contract/content/post-details.ts.
  details jsonb not null default '{}',
  -- The tagged users in the order shown; deleted users are left out when it is read.
  people uuid[] not null default '{}'::uuid[],
  scheduled_at timestamptz(3),
  -- Why it could not be published at its time, as shown to the creator; cleared by the next change.
  failure text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  check ((scheduled_at is null) or (failure is null))
);
create index drafts_of_creator on drafts (creator_id, updated_at desc, id desc) where (scheduled_at is null);
create index drafts_scheduled on drafts (creator_id, scheduled_at, id) where (scheduled_at is not null);

-- The media of a draft, in order. A draft does not reserve its media: they stay unused until it is published.
create table draft_media (
  draft_id uuid references drafts(id) on delete cascade,
  position smallint check ("position" >= 0),
  media_id uuid not null references media(id) on delete cascade,
  alt text not null default '' check (length(alt) <= 500),
  primary key (draft_id, "position"),
  unique (draft_id, media_id)
);
create index draft_media_of_media on draft_media (media_id);

-- geo-blocks

-- Where a creator does not want to be visible. Every process holds all rows in memory.
create table geo_blocks (
  creator_id uuid references users(id) on delete cascade,
  -- A country (ISO 3166-1, `DE`) or a state (ISO 3166-2, `US-TX`).
  code text check (code ~ '^[A-Z]{2}(-[A-Z0-9]{1,3})?$'),
  primary key (creator_id, code)
);

-- How many requests a geo-block refused per day; nothing about the visitors is stored. Rows are deleted after 30
-- days.
create table geo_block_hits (
  creator_id uuid,
  code text,
  day date,
  count bigint not null check (count > 0),
  primary key (creator_id, code, day)
);
create index geo_block_hits_by_day on geo_block_hits (day);

-- sales

-- One row with the fees and limits of sales that operators set. Fees are in basis points (hundredths of a percent). A
-- change does not affect earlier sales.
create table sales_settings (
  id boolean primary key default true check (id),
  general_basis_points integer not null default 2000 check ((general_basis_points >= 0) and (general_basis_points <= 10000)),
  -- The introductory fee of new creators, which applies when it is lower than the general fee.
  offer_basis_points integer not null default 1000 check ((offer_basis_points >= 0) and (offer_basis_points <= 10000)),
  -- Days after sign-up for which the introductory fee applies.
  offer_days integer not null default 90 check (offer_days >= 0),
  -- Days from a sale until its earnings become available.
  clearing_days integer not null default 7 check (clearing_days >= 0),
  -- The highest value that clearing_days ever had, which no code reads.
  longest_clearing_days integer not null default 7,
  -- What a fan can spend each UTC day, unless an operator set another limit for the fan.
  daily_limit_cents bigint not null default 50000 check (daily_limit_cents >= 0),
  -- Whether clearing_days was ever reduced, which no code reads.
  was_clearing_shortened boolean not null default false
);
insert into sales_settings default values;

-- A creator's own fees and the account that receives the earnings. The row is created at the first sale or when an
-- operator sets an own fee.
create table sales_fees (
  creator_id uuid primary key,
  -- The ledger account for earnings that have not cleared.
  pending_account_id bigint not null,
  -- Null for the general fee of sales_settings.
  general_basis_points integer check ((general_basis_points >= 0) and (general_basis_points <= 10000)),
  -- Null for the introductory fee of sales_settings.
  offer_basis_points integer check ((offer_basis_points >= 0) and (offer_basis_points <= 10000)),
  -- Null for the default number of days after sign-up.
  offer_until timestamptz(3),
  signed_up_at timestamptz(3) not null,
  -- Null if the offer applies from the beginning.
  offer_from timestamptz(3)
);

-- One sale, with the id of its ledger transaction. Fee and share are stored so that a refund reverses exactly them.
-- There are no check constraints because PostgreSQL parses them again for each insert, and npm run ledger:check
-- verifies each row instead.
create table sales (
  id uuid primary key,
  fan_id uuid not null,
  creator_id uuid not null,
  -- The post, message or call that was sold, or for a tip the post, the tip goal or null.
  subject_id uuid,
  created_at timestamptz(3) not null,
  -- When the earnings become available to the creator.
  clears_at timestamptz(3) not null,
  gross_cents bigint not null,
  fee_cents bigint not null,
  net_cents bigint generated always as ((gross_cents - fee_cents)),
  -- The refunded part of gross_cents.
  reversed_cents bigint not null default 0,
  -- The refunded part of fee_cents.
  reversed_fee_cents bigint not null default 0,
  fee_basis_points integer not null,
  -- tip, post, chat or call.
  kind text not null,
  -- chat, post, profile or call for a tip, else null.
  tip_type text,
  note text not null,
  -- The time of the latest refund, whole or partial, or null if there is none.
  refunded_at timestamptz(3)
);
-- Statements find refunds of a period without reading all sales of the creator.
create index sales_given_back on sales (creator_id, refunded_at) include (created_at) where (reversed_cents > 0);
-- It is ordered by time and not by id, because the primary key has that order too and the planner might then scan the
-- sales of all creators.
create index sales_of_creator on sales (creator_id, kind, created_at);
-- It covers tips toward tip goals only, so that other sales do not pay for it.
create index sales_toward on sales (subject_id) include (gross_cents, reversed_cents) where ((tip_type = 'profile') and (subject_id is not null));

-- What a fan bought and still owns, for kinds of sales that can be bought once. The row is deleted when the sale is
-- fully refunded. It is a table of its own so that tips do not pay for its index.
create table owned_purchases (
  fan_id uuid,
  subject_id uuid,
  sale_id uuid not null,
  primary key (fan_id, subject_id)
);

-- The period in which an affiliate earns commission on the purchases or sales of a referred user. Shares are fixed
-- when the referral is approved.
create table sales_affiliates (
  -- The referred fan or creator.
  user_id uuid primary key,
  affiliate_id uuid not null,
  -- The affiliate's ledger account for commission that has not cleared.
  pending_account_id bigint not null,
  -- The share of the gross amount in hundredths of a percent, limited to half of the platform's fee.
  basis_points integer not null check ((basis_points >= 0) and (basis_points <= 10000)),
  from_at timestamptz(3) not null,
  -- The exclusive end of the period.
  until_at timestamptz(3) not null,
  -- When the affiliate's account deletion ended the period early, one minute before until_at because a sale in
  -- progress may have read its time already.
  ended_at timestamptz(3),
  check (until_at > from_at)
);
create index sales_affiliates_of_affiliate on sales_affiliates (affiliate_id);

-- One commission, with the id of its ledger transaction. Only sales_commission() inserts rows. There are no check
-- constraints, for the same reason as in sales.
create table sales_commissions (
  id uuid primary key,
  sale_id uuid not null,
  affiliate_id uuid not null,
  -- The fan or the creator of the sale, whoever was referred.
  referred_id uuid not null,
  fan_id uuid not null,
  side text not null generated always as (
case
    when (referred_id = fan_id) then 'customer'
    else 'creator'
end),
  basis_points integer not null,
  cents bigint not null,
  created_at timestamptz(3) not null,
  clears_at timestamptz(3) not null,
  reversed_cents bigint not null default 0,
  -- The part of the sale's gross amount that counts as unpaid after a reversed deposit, which repaying the debt does
  -- not reduce.
  unpaid_cents bigint not null default 0
);
create index sales_commissions_of_affiliate on sales_commissions (affiliate_id, id);
create index sales_commissions_of_fan on sales_commissions (fan_id, created_at);
create index sales_commissions_of_referred on sales_commissions (referred_id, affiliate_id) include (cents, reversed_cents);
-- A sale has at most one commission for the fan and one for the creator.
create unique index sales_commissions_of_sale on sales_commissions (sale_id, referred_id);
create index sales_commissions_taken_back on sales_commissions (affiliate_id) where (reversed_cents > 0);
create index sales_commissions_waiting on sales_commissions (affiliate_id, clears_at);

-- The fee at the time when money was held for a creator. It applies to the captured sale, even if fees changed in
-- between.
create table sales_hold_fees (
  -- The row of ledger_holds.
  hold_id uuid primary key,
  creator_id uuid not null,
  fee_basis_points integer not null check ((fee_basis_points >= 0) and (fee_basis_points <= 10000))
);

-- The lowest and the highest price that operators set. For a kind without a row the defaults in the code apply.
create table sales_price_limits (
  -- callRate is the price of a minute. addFunds is the balance that a deposit adds, without the fee.
  kind text primary key check (kind in ('tip', 'post', 'chatMedia', 'callRate', 'addFunds')),
  min_cents bigint not null check (min_cents > 0),
  max_cents bigint not null,
  check (max_cents >= min_cents)
);

-- og-images

-- A generated share image of a profile or post. The row names the stored file and is deleted with it when the content
-- changes.
create table og_images (
  kind text check (kind in ('profile', 'post')),
  subject_id uuid,
  creator_id uuid not null references users(id) on delete cascade,
  -- The start of a hash of what the image shows, which is part of the file name.
  version text not null,
  made_at timestamptz(3) not null,
  primary key (kind, subject_id)
);
create index og_images_of_creator on og_images (creator_id);

-- teams

-- Users who may act for a creator. The sessions in which they act end with the membership, or when a right is
-- removed.
create table team_members (
  creator_id uuid references users(id) on delete cascade,
  member_id uuid references users(id) on delete cascade,
  rights text[] not null check ((rights <@ array['chat', 'posts', 'figures']) and (cardinality(rights) > 0)),
  since timestamptz(3) not null,
  primary key (creator_id, member_id),
  check (creator_id <> member_id)
);
create index team_members_of_member on team_members (member_id);

-- Open invitations, to an account by user_id or to an address by email. A row is deleted when it is answered,
-- replaced or expired.
create table team_invitations (
  id uuid primary key,
  creator_id uuid not null references users(id) on delete cascade,
  user_id uuid references users(id) on delete cascade,
  -- In lower case; accepting needs an account with this verified address.
  email citext,
  rights text[] not null check ((rights <@ array['chat', 'posts', 'figures']) and (cardinality(rights) > 0)),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  unique (creator_id, email),
  unique (creator_id, user_id),
  check ((user_id is null) <> (email is null))
);
create index team_invitations_expiring on team_invitations (expires_at);
create index team_invitations_of_email on team_invitations (email);
create index team_invitations_of_user on team_invitations (user_id);

-- What team members did on behalf of a creator, for the creator to read. A row is inserted before each action, and a
-- second one, with refused_action_id, if it was refused or failed. Rows are never changed or deleted.
create table team_actions (
  id uuid primary key,
  creator_id uuid not null references users(id) on delete cascade,
  member_id uuid not null references users(id),
  at timestamptz(3) not null,
  -- The summary of the API route.
  action text not null,
  -- The ids in the request as `name:id`, separated by spaces.
  subject text not null,
  refused_action_id uuid references team_actions(id) on delete cascade
);
create index team_actions_of_creator on team_actions (creator_id, id desc) where (refused_action_id is null);
create index team_actions_of_member on team_actions (member_id, id desc) where (refused_action_id is null);
create index team_actions_refused_action_id on team_actions (refused_action_id) where (refused_action_id is not null);

-- themes

-- The design of a creator's page. Without a row, the creator never changed it.
create table creator_themes (
  creator_id uuid primary key references users(id) on delete cascade,
  -- Counts the changes of both columns, so that two windows do not overwrite each other.
  revision integer not null check (revision > 0),
  -- Saved but not published; null: no draft.
  draft jsonb check (pg_column_size(draft) < 2000),
  -- Null: the default design.
  published jsonb check (pg_column_size(published) < 2000)
);

-- transparency-log

-- The leaves of the transparency log, a Merkle tree over all rows about money that may never change. Triggers refuse
-- updates and deletions. The hashed data is transparency_data() of the row with its salt.
create table transparency_leaves (
  position bigint primary key,
  -- transaction, commission, order, event, decision or kind.
  type text not null,
  -- The id of the row, or for a kind the MD5 of its name.
  row_id uuid not null,
  -- 32 bytes: the first half salts the leaf, the second half the fields that only the owner of the money may see.
  salt bytea not null,
  hash bytea not null,
  unique (row_id, type)
);

-- The hashes of the tree in tiles of at most 256 hashes of 32 bytes (C2SP tlog-tiles). Level 0 contains the leaves.
-- The last tile of each level still grows.
create table transparency_tiles (
  level smallint,
  index bigint,
  hashes bytea not null,
  primary key (level, index)
);

-- A signed root of the first leaves of the log. A trigger accepts only growing sizes. After a month only the last
-- checkpoint of each UTC day is kept.
create table transparency_checkpoints (
  -- The number of leaves that the root covers.
  size bigint primary key,
  -- The checkpoint as a signed note (C2SP).
  note text not null,
  -- All rows written by database transactions below this number have a leaf.
  watermark bigint not null,
  -- The PostgreSQL cluster that the watermark belongs to, because transaction numbers of another cluster cannot be
  -- compared.
  system_identifier text not null,
  made_at timestamptz(3) not null,
  -- When it was copied to the object storage, or null until then.
  stored_at timestamptz(3),
  -- When the log was verified up to this checkpoint, or null if it was not.
  checked_at timestamptz(3)
);
create index transparency_checkpoints_unstored on transparency_checkpoints (size) where (stored_at is null);

-- verification

-- Identity verification of a creator. No row means that it has not started. The row stays after account deletion, for
-- as long as the law requires.
create table verifications (
  creator_id uuid primary key references users(id) on delete cascade,
  -- failed and declined both ask the creator to submit again and differ only in the message.
  status text not null default 'started' check (status in ('started', 'submitted', 'verified', 'failed', 'declined')),
  document_type text check (document_type in ('identityCard', 'passport', 'drivingLicence')),
  -- Encrypted JSON with legal name, date of birth, country and document type.
  details bytea,
  -- The signed version of the creator agreement; null if none is signed, also after a change of the legal name.
  agreement_version text,
  signed_at timestamptz(3),
  -- Encrypted JSON with the signed name and the strokes of the drawn signature.
  signature bytea,
  submitted_at timestamptz(3),
  -- Two business days after submission; null once decided.
  answer_by timestamptz(3),
  -- The last decision; it stays when documents are submitted again.
  decided_at timestamptz(3),
  -- Null for a decision on the command line.
  decided_by uuid references users(id) on delete set null,
  constraint verifications_decided check ((status in ('started', 'submitted')) or (decided_at is not null)),
  constraint verifications_detailed check ((details is null) = (document_type is null)),
  constraint verifications_signed check ((agreement_version is null) = (signed_at is null)),
  constraint verifications_submitted check ((status = 'started') or (submitted_at is not null))
);
create index verifications_by_status on verifications (status, submitted_at);
create index verifications_decided_at on verifications (decided_at) where (decided_at is not null);

-- Pictures of a verification. The files are encrypted in storage.
create table verification_documents (
  creator_id uuid references verifications(creator_id) on delete cascade,
  kind text check (kind in ('idFront', 'idBack', 'selfie')),
  state text not null default 'pending' check (state in ('pending', 'submitted', 'rejected', 'approved')),
  -- Shown to the creator.
  reason text,
  -- Null once the file is deleted: selfies and rejected pictures are deleted 30 days after the decision.
  file_key text,
  taken_at timestamptz(3) not null,
  primary key (creator_id, kind),
  constraint verification_documents_reason check ((state = 'rejected') = (reason is not null))
);

-- The legs of transactions as rows.
create view ledger_entries as SELECT t.id AS transaction_id,
    l.leg::integer AS leg,
    l.account_id,
        CASE
            WHEN l.amount > 0 THEN 'D'::text
            ELSE 'C'::text
        END AS side,
    abs(l.amount) AS amount_cents,
    t.kind,
    t.occurred_at,
    t.xid
   FROM ledger_transactions t,
    LATERAL UNNEST(t.account_ids, t.amounts::bigint[]) WITH ORDINALITY l(account_id, amount, leg)
  WHERE l.amount <> 0;
