-- What an operator may do: several roles, or none, and then nothing. Whoever ran the platform until now owns it.
alter table users add column operator_roles text[] not null default '{}';
update users set operator_roles = '{owner}' where type = 'operator';
alter table users add constraint users_operator_roles check (
  operator_roles <@ array['owner', 'moderator', 'finance', 'support', 'auditor'] and (type = 'operator' or operator_roles = '{}'));
create index users_operators on users (username) where type = 'operator';
-- When somebody proved in a session who they are, once more after the log-in.
alter table sessions add column proven_at timestamptz(3);
