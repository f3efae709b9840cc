-- What archives and closings read of one person, who may have much of it.
create index post_likes_of_user on post_likes (user_id, post_id);
create index chat_files_of_owner on chat_files (owner_id, id);
create index case_pictures_of_owner on case_pictures (owner_id);
