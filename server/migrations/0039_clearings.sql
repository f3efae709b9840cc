-- Which amounts a clearing made available: what was earned by each transaction, until it was due.
create table ledger_clearings (
  transaction_id uuid not null,
  account_id bigint not null references ledger_accounts on delete restrict,
  clearing_id uuid not null references ledger_transactions on delete restrict,
  amount_cents bigint not null check (amount_cents > 0),
  primary key (transaction_id, account_id, clearing_id)
);
create index ledger_clearings_of on ledger_clearings (clearing_id);
create trigger ledger_clearings_immutable before update or delete or truncate on ledger_clearings for each statement execute function ledger_refuse();
