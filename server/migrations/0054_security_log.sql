-- What happened to accounts and their doors: who got in, who did not, and what operators did. No secrets, no names, no addresses of pages.
create table security_log (
  id bigint generated always as identity primary key,
  at timestamptz(3) not null,
  kind text not null,
  -- Whose account; null where none is known. It outlives the account.
  user_id uuid,
  session_id uuid,
  -- Where from: an IPv4 address, or the first 64 bits of IPv6.
  network text,
  -- What more there is to say, in words of the code.
  detail text not null default '',
  -- So often in the second that begins then.
  count int not null default 1 check (count > 0)
);
create index security_log_of_user on security_log (user_id, id) where user_id is not null;
create index security_log_by_age on security_log (at);

-- Nothing of it changes; after 400 days it goes.
create function security_log_stays() returns trigger language plpgsql as $$
begin
  raise exception 'replaced by its file';
end $$;
create trigger security_log_stays before update or delete on security_log for each row execute function security_log_stays();
create function security_log_whole() returns trigger language plpgsql as $$
begin
  raise exception 'replaced by its file';
end $$;
create trigger security_log_whole before truncate on security_log for each statement execute function security_log_whole();
