-- Whether it was the hiding that took a post down: then it is published again when that is taken back, unless its creator deleted
-- it meanwhile.
alter table posts
  add column is_taken_down boolean not null default false,
  add column deleted_at timestamptz(3);
update posts set is_taken_down = true where hidden_at is not null and removed_at >= hidden_at;
