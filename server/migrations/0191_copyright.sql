-- Copyright: what a notice and a counter-notice must say besides their words, each beside its case.
create table copyright_notices (
  case_id uuid primary key references cases,
  -- One notice may name several things: each is a case of its own.
  notice_id uuid not null,
  at timestamptz(3) not null,
  -- The name is kept; what is below it is forgotten some time after the case's end.
  name text not null,
  signature text not null,
  email citext not null,
  address text not null,
  telephone text not null
);
create table copyright_counters (
  case_id uuid primary key references cases,
  -- The notice's.
  notice_case_id uuid not null references cases,
  person_id uuid not null,
  at timestamptz(3) not null,
  -- When it may be put back at the earliest; the case is due when it has to be.
  restore_from timestamptz(3) not null,
  name text not null,
  signature text not null,
  address text not null,
  telephone text not null
);
create index copyright_counters_of on copyright_counters (person_id, case_id desc);
-- A decision is countered once, unless what came was dismissed.
create unique index cases_countered_once on cases (decision_id) where kind = 'counter' and outcome is distinct from 'dismiss';
create index cases_counters_left on cases (due_at) where kind = 'counter' and state <> 'closed';
create index cases_copyright_ended on cases (closed_at) where kind in ('copyright', 'counter') and state = 'closed';
