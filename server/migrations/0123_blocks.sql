-- Between whom one blocked the other, whichever of the two: whoever shows somebody to somebody looks here, by the key. Who of the two did it
-- is known by their conversation alone.
create table blocks (
  fan_id uuid not null references users on delete cascade,
  creator_id uuid not null references users on delete cascade,
  primary key (fan_id, creator_id)
);
create index blocks_of_creator on blocks (creator_id);
insert into blocks (fan_id, creator_id) select fan_id, creator_id from conversations where is_blocked_by_creator or is_blocked_by_fan;
create index conversations_blocked_by_fan on conversations (fan_id, id desc) where is_blocked_by_fan;
create index conversations_blocked_by_creator on conversations (creator_id, id desc) where is_blocked_by_creator;
