-- Pictures for sharing that were made: one for each profile and post, named by what it shows.
create table share_pictures (
  kind text not null check (kind in ('profile', 'post')),
  subject_id uuid not null,
  creator_id uuid not null references users on delete cascade,
  version text not null,
  made_at timestamptz(3) not null,
  primary key (kind, subject_id)
);
create index share_pictures_of_creator on share_pictures (creator_id);
