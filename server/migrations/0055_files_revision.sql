-- Counts how often files left a post: a fan buys the ones they saw.
alter table posts add column files_revision int not null default 1;
