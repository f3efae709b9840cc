-- The page of this site to which the fan continues after the payment. It travels with the order, because the browser may
-- keep nothing. It is deleted once the order has expired.
alter table deposits add column return_path text check (length(return_path) <= 500);
create index deposits_returning on deposits (expires_at) where return_path is not null;
