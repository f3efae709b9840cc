-- Freezing binds whatever is posted: an account that is frozen is debited by no kind that does not say otherwise.

-- Whether it takes from a frozen account too: it does not spend, the payment processor took its money back.
alter table ledger_kinds add column takes_frozen boolean not null default false;
update ledger_kinds set takes_frozen = true where kind in ('deposit_refund', 'deposit_void', 'deposit_return', 'deposit_chargeback');

drop trigger ledger_kinds_fixed on ledger_kinds;
create trigger ledger_kinds_fixed before update of kind, fee_account, fee_account_id, is_once, debits, credits, takes_frozen on ledger_kinds
  for each statement execute function ledger_refuse();
