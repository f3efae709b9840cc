-- Who published last: whose works hang on the front page.
create index creators_published_last on creators (last_post_at desc, user_id desc) where is_listed and last_post_at is not null;
