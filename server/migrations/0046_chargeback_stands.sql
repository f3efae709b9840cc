-- A chargeback that a person said was won and was not: what the win gave back is taken again, and what it left uncovered is owed.
insert into ledger_kinds (kind, title, statement_type, debits, credits, takes_frozen) values
  ('chargeback_stands', 'Chargeback not withdrawn', 'chargeback',
    '{liab:fan:%:wallet,asset:fan:%:receivable,exp:chargeback_loss,rev:deposit_fee}', '{asset:processor:%:clearing}', true);

alter table processor_decisions drop constraint processor_decisions_decision_check;
alter table processor_decisions add constraint processor_decisions_decision_check
  check (decision in ('retry', 'dismiss', 'refund', 'refunded', 'notRefunded', 'won', 'notWon'));
