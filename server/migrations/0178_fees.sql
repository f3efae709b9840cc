-- When a creator's own offer begins; null: it has, as offers for newcomers do at sign-up.
alter table sales_fees add column offer_from timestamptz(3);
