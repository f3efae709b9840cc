-- Operators look people up by what their username, address or name begins with, or holds. The text of all three is what is looked within.
create index users_username_begins on users ((lower(username::text)) collate "C");
create index users_email_begins on users ((lower(email::text)) collate "C");
create index users_name_begins on users ((lower(name)) collate "C");
create index users_holds on users using gin ((lower(username::text || ' ' || name || ' ' || email::text)) gin_trgm_ops);
