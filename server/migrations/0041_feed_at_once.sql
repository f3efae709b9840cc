-- What is on its way into timelines is merged into feeds as they are read, so that a feed lacks nothing at any moment.

alter table posts add column in_timelines boolean not null default true;
create index posts_on_their_way on posts (id desc) where not in_timelines;

-- The creator's latest posts have been written to the fan's timeline.
alter table follows add column is_settled boolean not null default true;
create index follows_merged on follows (fan_id, creator_id) where is_wide or not is_settled;
drop index follows_wide;
