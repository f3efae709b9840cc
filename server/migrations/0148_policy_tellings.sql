-- How far people have been told of a new version of a text: page by page, in the order of their ids.
create table policy_tellings (
  policy text not null,
  version date not null,
  last_id uuid not null default '00000000-0000-0000-0000-000000000000',
  told_count int not null default 0,
  begun_at timestamptz(3) not null,
  done_at timestamptz(3),
  primary key (policy, version)
);
