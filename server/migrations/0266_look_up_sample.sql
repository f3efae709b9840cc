-- What very many accounts hold is looked for in a sample of them: an index of letters reads all who hold them before it answers.
-- One in 256, by the random end of an id, as features/accounts/look-up.ts asks for it.
create index users_holds_sample on users using gin ((lower(username::text || ' ' || name || ' ' || email::text)) gin_trgm_ops)
  where get_byte(uuid_send(id), 15) = 0;
