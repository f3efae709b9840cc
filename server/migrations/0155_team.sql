-- Creators' teams: who may do what in a creator's name, who was asked to, and what each of them did.
create table team_members (
  creator_id uuid not null references users on delete cascade,
  member_id uuid not null references users on delete cascade,
  rights text[] not null check (rights <@ array['chat', 'posts', 'figures'] and cardinality(rights) > 0),
  since timestamptz(3) not null,
  primary key (creator_id, member_id),
  check (creator_id <> member_id)
);
create index team_members_of_member on team_members (member_id);

-- By an account, or by an address that no account is looked up for.
create table team_invitations (
  id uuid primary key,
  creator_id uuid not null references users on delete cascade,
  user_id uuid references users on delete cascade,
  email citext,
  rights text[] not null check (rights <@ array['chat', 'posts', 'figures'] and cardinality(rights) > 0),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  check ((user_id is null) <> (email is null)),
  unique (creator_id, user_id),
  unique (creator_id, email)
);
create index team_invitations_of_user on team_invitations (user_id);
create index team_invitations_of_email on team_invitations (email);
create index team_invitations_expiring on team_invitations (expires_at);

-- One line before each act; one more, which names it, where it was refused.
create table team_acts (
  id uuid primary key,
  creator_id uuid not null references users on delete cascade,
  member_id uuid not null references users,
  at timestamptz(3) not null,
  what text not null,
  subject text not null,
  refused uuid references team_acts on delete cascade
);
create index team_acts_of_creator on team_acts (creator_id, id desc) where refused is null;
create index team_acts_refused on team_acts (refused) where refused is not null;
create index team_acts_of_member on team_acts (member_id, id desc) where refused is null;

-- A session may act for a creator, and ends with the right to.
alter table sessions add column acting_for uuid references users on delete cascade;
create index sessions_acting on sessions (acting_for, user_id) where acting_for is not null;

-- Who of a creator's team wrote it; null is the sender.
alter table messages add column author_id uuid references users on delete set null;
alter table broadcasts add column author_id uuid references users on delete set null;

-- Its new form is in functions/.
drop function chat_send(uuid, boolean, uuid, uuid, uuid, uuid, text, text, bigint, boolean, jsonb, timestamptz, int, int, interval, boolean);
