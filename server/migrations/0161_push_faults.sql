-- Push services that refuse us or take nothing, from the first time until they take something again: what an operator is told.
create table push_faults (
  service text primary key,
  kind text not null check (kind in ('refused', 'failing')),
  -- What it answered last, where it answered.
  status int,
  since timestamptz(3) not null,
  last_at timestamptz(3) not null,
  pushes int not null
);
