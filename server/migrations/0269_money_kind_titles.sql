-- Titles of transactions in plain English, as in contract/money-kinds.ts.
update ledger_kinds k set title = t.title
from (values
  ('deposit_void', 'Payment canceled'),
  ('chargeback_won', 'Chargeback reversed'),
  ('chargeback_stands', 'Chargeback reinstated'),
  ('debt_repayment', 'Debt repayment'),
  ('debt_write_off', 'Debt canceled'),
  ('hold', 'On hold'),
  ('hold_extend', 'On hold'),
  ('hold_release', 'Hold released'),
  ('hold_expired', 'Hold expired'),
  ('clearing_return', 'Moved back to pending'),
  ('processor_settlement', 'Processor settlement'),
  ('processor_settlement_return', 'Settlement reversed'),
  ('commission_return', 'Commission reversed'),
  ('commission_uncleared', 'Commission moved back to pending'),
  ('commission_repayment', 'Commission repayment'),
  ('payout_cancelled', 'Payout canceled'),
  ('payout_unsent', 'Payout failed'),
  ('payout_paid', 'Payout paid'),
  ('earnings_kept', 'Debt repayment'),
  ('payout_failed', 'Payout returned')
) as t (kind, title)
where k.kind = t.kind;
