-- Where a cover's subject is, in percent: what stays in view when it is cropped. And a creator's followers by time.

alter table creators
  add column cover_focus_x smallint not null default 50 check (cover_focus_x between 0 and 100),
  add column cover_focus_y smallint not null default 50 check (cover_focus_y between 0 and 100);

create index follows_by_time on follows (creator_id, created_at desc, fan_id desc);
