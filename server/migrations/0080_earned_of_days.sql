-- What the platform kept of a creator's sales is summed by day and kind beside what came in, so that what fans paid is known
-- without counting sales. What is not summed up yet is first, so that no row of inflows was written in the former way.
select ledger_roll(2147483647, null, true);
alter table ledger_days add column platform_cents bigint not null default 0;
update ledger_days d set platform_cents = s.cents from (
    select f.pending_account_id as account_id, (s.created_at at time zone 'UTC')::date as day, s.kind as tag,
      sum(s.fee_cents - s.reversed_fee_cents) as cents
    from sales s join sales_fees f on f.creator_id = s.creator_id group by 1, 2, 3) s
  where d.account_id = s.account_id and d.day = s.day and d.tag = s.tag;

-- What waits on one account, by when it is due.
create index ledger_maturities_of_account on ledger_maturities (account_id, due_at) include (amount_cents);
