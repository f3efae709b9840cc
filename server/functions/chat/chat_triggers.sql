create or replace trigger conversations_increment_revision before update on conversations
  for each row execute function chat_increment_revision();
create or replace trigger messages_increment_revision before update on messages
  for each row execute function chat_increment_revision();
create or replace trigger broadcasts_increment_revision before update on broadcasts
  for each row execute function chat_increment_revision();
