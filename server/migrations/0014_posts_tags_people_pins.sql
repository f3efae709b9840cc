-- Posts in full: audio, tags, the people in them, and the one that its creator pinned.

alter table posts drop constraint posts_type_check;
alter table posts add constraint posts_type_check check (type in ('picture', 'pictureSet', 'video', 'audio'));

alter table posts add tags text[] not null default '{}';
-- Whether post_people has rows of it that are shown: nearly no post has, and a page of posts does not look for those.
alter table posts add has_people boolean not null default false;
alter table posts add is_pinned boolean not null default false;
create unique index posts_pinned on posts (creator_id) where is_pinned;

-- Creators in somebody's post. Who took themselves out stays as a row, so that they are not put back.
create table post_people (
  post_id uuid not null references posts on delete cascade,
  user_id uuid not null references users on delete cascade,
  position smallint not null check (position >= 0),
  left_at timestamptz(3),
  primary key (post_id, user_id)
);
create index post_people_of_user on post_people (user_id, post_id);
