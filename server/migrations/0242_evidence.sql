-- What an operator asked to see is a medium, a document or a voice note, a profile as it was, or how somebody is reached.
alter table case_looks rename column media_id to item_id;

-- Profiles as they were when they were reported, or taken from: their words here, their pictures sealed beside those that people send along.
create table case_profiles (
  id uuid primary key,
  case_id uuid not null references cases,
  at timestamptz(3) not null,
  shown jsonb not null
);
create index case_profiles_of on case_profiles (case_id, id);
