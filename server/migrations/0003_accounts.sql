-- People: who they are, where they are logged in, and what a creator shows of themselves.

create table users (
  id uuid primary key default uuidv7(),
  type text not null check (type in ('customer', 'creator', 'operator')),
  username citext not null unique,
  email citext not null unique,
  name text not null,
  password_hash text not null,
  -- Storage prefix of the avatar's variants; its serial changes with each upload, so that addresses can be kept for ever.
  avatar_key text,
  avatar_thumbhash text,
  is_blocked boolean not null default false,
  is_spending_blocked boolean not null default false,
  email_verified_at timestamptz(3),
  consented_at timestamptz(3),
  referral_code text,
  -- The secret is sealed with a key of the process, never plain.
  two_factor_secret bytea,
  two_factor_enabled_at timestamptz(3),
  two_factor_last_step bigint,
  last_seen_at timestamptz(3),
  created_at timestamptz(3) not null default now()
);

create table recovery_codes (
  user_id uuid not null references users on delete cascade,
  code_hash bytea not null,
  used_at timestamptz(3),
  primary key (user_id, code_hash)
);

create table sessions (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users on delete cascade,
  token_hash bytea not null unique,
  device text not null,
  display_mode text not null check (display_mode in ('standalone', 'browser')),
  created_at timestamptz(3) not null default now(),
  last_seen_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
create index sessions_user on sessions (user_id, last_seen_at desc);
create index sessions_expiry on sessions (expires_at);

-- Tokens that travel by mail: verification and password reset. Only their hash is kept; each works once.
create table mail_tokens (
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  purpose text not null check (purpose in ('verify', 'reset')),
  email citext not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  created_at timestamptz(3) not null default now()
);
create index mail_tokens_user on mail_tokens (user_id, purpose, created_at desc);

-- Guesses at a secret within a window. The subject is an account, or a name that no account has: locking tells nobody which.
create table attempts (
  subject bytea primary key,
  count int not null,
  window_ends_at timestamptz(3) not null
);

create table creators (
  user_id uuid primary key references users on delete cascade,
  craft text not null default '',
  city text not null default '',
  bio text not null default '',
  category text,
  links jsonb not null default '[]',
  layout text not null default 'classic' check (layout in ('classic', 'hero')),
  shape text not null default 'box' check (shape in ('box', 'round')),
  format text not null default 'row' check (format in ('col', 'row')),
  call_rate_cents bigint check (call_rate_cents > 0),
  cover_key text,
  cover_width int,
  cover_height int,
  cover_thumbhash text,
  is_verified boolean not null default false,
  -- Kept by the features that own the facts, by increments in their transactions.
  follower_count bigint not null default 0,
  post_count bigint not null default 0,
  media_count bigint not null default 0,
  view_count bigint not null default 0,
  last_post_at timestamptz(3),
  -- Name, username, craft, city and bio without accents and case; kept by trigger.
  search_text text not null default '',
  created_at timestamptz(3) not null default now()
);
create index creators_search on creators using gin (search_text gin_trgm_ops);
create index creators_recommended on creators (follower_count desc, user_id desc);
create index creators_new on creators (user_id desc);
create index creators_category on creators (category, follower_count desc, user_id desc);

create function creators_searchable() returns trigger language plpgsql as $$
begin
  new.search_text := (
    select plain(concat_ws(' ', u.name, u.username, new.craft, new.city, new.bio, new.category)) from users u where u.id = new.user_id
  );
  return new;
end $$;
create trigger creators_searchable before insert or update of craft, city, bio, category on creators
  for each row execute function creators_searchable();

create function users_searchable() returns trigger language plpgsql as $$
begin
  update creators set craft = craft where user_id = new.id;
  return null;
end $$;
create trigger users_searchable after update of name, username on users
  for each row when (new.type = 'creator') execute function users_searchable();
