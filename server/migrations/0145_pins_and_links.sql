-- Up to three pinned posts in an order, and links that a creator names themselves.

drop index posts_pinned;
alter table posts add pin_place smallint check (pin_place between 1 and 3);
update posts set pin_place = 1 where is_pinned;
alter table posts drop column is_pinned;
create unique index posts_pinned on posts (creator_id, pin_place) where pin_place is not null;

-- Beside `links`, which are pages of networks that we know: label and address of any other.
alter table creators add own_links jsonb not null default '[]' check (jsonb_typeof(own_links) = 'array');
