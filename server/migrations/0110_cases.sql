-- Cases: what somebody said is wrong, until a person has decided. Nothing here refers to accounts: a case outlives them.
create table cases (
  id uuid primary key,
  -- For people: SD-7K2M-9QXV.
  reference text not null unique,
  kind text not null,
  queue text not null,
  state text not null default 'open' check (state in ('open', 'waiting', 'closed')),
  opened_at timestamptz(3) not null,
  changed_at timestamptz(3) not null,
  due_at timestamptz(3) not null,
  closed_at timestamptz(3),
  -- Who came, and by which name and address where they have no account.
  from_id uuid,
  from_name text not null default '',
  from_email citext not null default '',
  -- What it is about, and whom.
  subject text check (subject in ('profile', 'post', 'message', 'call')),
  subject_id uuid,
  person_id uuid,
  title text not null,
  place text not null default '',
  -- What the thing was when it was named: it may be gone by now.
  snapshot jsonb not null default '[]',
  report_count int not null default 0 check (report_count >= 0),
  assigned_to uuid,
  -- Of an appeal: the decision that it is against.
  decision_id uuid,
  -- How it ended.
  outcome text,
  constraint cases_closed check ((state = 'closed') = (closed_at is not null)),
  constraint cases_subject check ((subject is null) = (subject_id is null))
);
create index cases_open on cases (due_at, id) where state = 'open';
create index cases_open_of_queue on cases (queue, due_at, id) where state = 'open';
create index cases_open_of on cases (assigned_to, due_at, id) where state = 'open';
create index cases_waiting on cases (changed_at desc, id desc) where state = 'waiting';
create index cases_ended on cases (closed_at desc, id desc) where state = 'closed';
create index cases_ended_of_queue on cases (queue, closed_at desc, id desc) where state = 'closed';
create index cases_about on cases (person_id, id desc) where person_id is not null;
create index cases_of on cases (from_id, id desc) where from_id is not null;
create index cases_of_address on cases (from_email, id desc) where from_email <> '';
-- Reports of the same thing are one case while it is open; of a call each side may be reported.
create unique index cases_reported_once on cases (subject, subject_id, person_id) where kind = 'report' and state <> 'closed';
create unique index cases_appealed_once on cases (decision_id) where kind = 'appeal';

-- What happened in a case, in the order of ids.
create table case_entries (
  id uuid primary key,
  case_id uuid not null references cases,
  at timestamptz(3) not null,
  kind text not null check (kind in ('report', 'message', 'reply', 'note', 'assigned', 'decision', 'undone')),
  by_id uuid,
  body text not null
);
create index case_entries_of on case_entries (case_id, id);
create index case_entries_by on case_entries (by_id, kind, at desc) where by_id is not null;

create table case_decisions (
  id uuid primary key,
  case_id uuid not null references cases,
  -- Whom it was done to.
  person_id uuid,
  act text not null,
  subject text,
  subject_id uuid,
  title text not null default '',
  ground text not null,
  until timestamptz(3),
  -- Null: a command on the machine.
  operator_id uuid,
  at timestamptz(3) not null,
  -- What has to be known to take it back.
  undo jsonb not null default '{}',
  undone_at timestamptz(3),
  undone_by uuid,
  undo_ground text
);
create index case_decisions_of on case_decisions (case_id, id);
create index case_decisions_of_thing on case_decisions (subject_id) where subject_id is not null;
create index case_decisions_withheld on case_decisions using gin ((undo -> 'mediaIds')) where act = 'remove' and undone_at is null;
create index case_decisions_about on case_decisions (person_id, id desc) where person_id is not null;

-- Pictures that people send along: sealed, and kept where no address leads. Without an entry they are gone the next day.
create table case_pictures (
  id uuid primary key,
  owner_id uuid not null,
  entry_id uuid references case_entries,
  position smallint not null default 0,
  file_key text not null,
  width int not null,
  height int not null,
  taken_at timestamptz(3) not null
);
create index case_pictures_of on case_pictures (entry_id, position) where entry_id is not null;
create index case_pictures_left on case_pictures (taken_at) where entry_id is null;

-- What an operator asked to see, for an hour: by this they may load the files of it.
create table case_looks (
  operator_id uuid not null,
  media_id uuid not null,
  until timestamptz(3) not null,
  primary key (operator_id, media_id)
);
create index case_looks_over on case_looks (until);

create table saved_answers (
  id uuid primary key,
  title text not null unique,
  body text not null,
  at timestamptz(3) not null
);
