-- An account's history is read from the journal, by the kinds that may move it.
create index ledger_transactions_of_kind on ledger_transactions (kind, occurred_at, id);

-- What was given back, by creator: for their statements, without a walk past all that was sold.
create index sales_given_back on sales (creator_id) where reversed_cents > 0;
