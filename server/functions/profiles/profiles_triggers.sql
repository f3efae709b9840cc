create or replace trigger creators_search_terms_deleted after delete on creators
  for each row execute function creators_update_search_terms();
create or replace trigger creators_search_terms_inserted after insert on creators
  for each row when (new.is_listed)
  execute function creators_update_search_terms();
create or replace trigger creators_search_terms_updated after update on creators
  for each row when ((old.is_listed <> new.is_listed) or (new.is_listed and ((old.search_text <> new.search_text) or ((old.follower_count <> new.follower_count) and (search_rank(old.follower_count) <> search_rank(new.follower_count))))))
  execute function creators_update_search_terms();
