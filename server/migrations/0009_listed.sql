-- Whether a creator is shown in lists: not blocked, and the e-mail is theirs. It follows from the account, and lies with the
-- creator so that a page of the list and its count are read from one index.

alter table creators add column is_listed boolean not null default false;
update creators c set is_listed = not u.is_blocked and u.email_verified_at is not null from users u where u.id = c.user_id;

create function creators_listed() returns trigger language plpgsql as $$
begin
  new.is_listed := coalesce((select not is_blocked and email_verified_at is not null from users where id = new.user_id), false);
  return new;
end $$;
create trigger creators_listed before insert on creators for each row execute function creators_listed();

create function users_listed() returns trigger language plpgsql as $$
begin
  update creators set is_listed = not new.is_blocked and new.email_verified_at is not null where user_id = new.id;
  return null;
end $$;
create trigger users_listed after update of is_blocked, email_verified_at on users for each row
  when (new.type = 'creator') execute function users_listed();

drop index creators_recommended, creators_new, creators_category;
create index creators_recommended on creators (follower_count desc, user_id desc) where is_listed;
create index creators_new on creators (user_id desc) where is_listed;
create index creators_category on creators (category, follower_count desc, user_id desc) where is_listed;
