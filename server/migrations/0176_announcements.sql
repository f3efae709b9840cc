-- What operators say atop people's pages, for a time. Nothing of it is rewritten; what ended early says when.
create table announcements (
  id uuid primary key,
  title text not null check (length(title) between 1 and 80),
  text text not null check (length(text) <= 500),
  level text not null check (level in ('info', 'important')),
  audience text not null check (audience in ('everybody', 'fans', 'creators')),
  is_dismissable boolean not null,
  begins_at timestamptz(3) not null,
  ends_at timestamptz(3) not null check (ends_at > begins_at),
  ended_at timestamptz(3),
  written_at timestamptz(3) not null,
  author_id uuid not null references users
);
-- Those that stand or will.
create index announcements_to_come on announcements (ends_at) where ended_at is null;
