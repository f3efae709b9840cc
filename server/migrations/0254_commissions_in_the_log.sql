-- Each commission has a leaf of its own, which its affiliate may see: without who bought what of whom. Those of before get theirs by the
-- next look at everything.
create index sales_commissions_of_affiliate on sales_commissions (affiliate_id, id);
create index sales_commissions_taken_back on sales_commissions (affiliate_id) where reversed_cents > 0;
update transparency_checkpoints set watermark = 0 where size = (select max(size) from transparency_checkpoints);
