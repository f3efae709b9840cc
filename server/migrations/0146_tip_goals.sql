-- Tip goals: one at a time for each creator. What was gathered is never kept here: it is the sum of the sales toward it.

create table tip_goals (
  id uuid primary key,
  creator_id uuid not null references users on delete cascade,
  title text not null,
  target_cents bigint not null check (target_cents > 0),
  started_at timestamptz(3) not null,
  -- Null: it has no end.
  ends_at timestamptz(3) check (ends_at > started_at),
  -- Taken off the profile by its creator.
  closed_at timestamptz(3)
);
create unique index tip_goals_open on tip_goals (creator_id) where closed_at is null;
create index tip_goals_of_creator on tip_goals (creator_id, id);

-- What was given toward a goal: a tip in profile with it as its subject. Other tips pay nothing for it.
create index sales_toward on sales (subject_id) include (gross_cents, reversed_cents) where tip_type = 'profile' and subject_id is not null;
