-- The closing of the account has begun: whatever is undone, nobody logs in again. Apart from is_blocked, which operators take back.
alter table users add column is_erasing boolean not null default false;
update users set is_erasing = true, is_closing = false where id in (select user_id from closings where begun_at is not null);

-- What somebody earns by others ends with their account.
create index sales_affiliates_of_affiliate on sales_affiliates (affiliate_id);
