-- How a creator's page is drawn: what is published, null for plain, and what is being tried. The revision counts changes of either.
create table creator_themes (
  creator_id uuid primary key references users on delete cascade,
  revision integer not null check (revision > 0),
  draft jsonb check (pg_column_size(draft) < 2000),
  published jsonb check (pg_column_size(published) < 2000)
);
