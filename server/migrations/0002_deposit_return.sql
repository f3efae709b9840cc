-- The internal path at which the fan continues after the payment. The order carries it, because the browser may store
-- nothing. It is deleted once the order has expired.
alter table deposits add column return_path text check (return_path like '/%' and length(return_path) <= 2000);
create index deposits_returning on deposits (expires_at) where return_path is not null;
