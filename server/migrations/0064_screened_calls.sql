-- Calls that their creator is to know nothing of, and those that an operator ended.

alter table calls
  -- The creator had blocked the fan: nobody rings, and to the creator there is no such call.
  add column is_screened boolean not null default false,
  -- Why an operator ended it, and who.
  add column stop_ground text,
  add column stopped_by uuid references users on delete restrict,
  add constraint calls_stopped check ((stop_ground is null) = (stopped_by is null)),
  add constraint calls_screened check (not is_screened or (ended_at is not null and hold_id is null));
create index calls_stopped_by_operator on calls (id desc) where stop_ground is not null;
