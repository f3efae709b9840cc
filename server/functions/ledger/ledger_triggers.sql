create or replace trigger ledger_accounts_append_only before delete or truncate on ledger_accounts
  for each statement execute function ledger_append_only();
create or replace trigger ledger_transactions_immutable before delete or update or truncate on ledger_transactions
  for each statement execute function ledger_append_only();
create or replace trigger ledger_lines_immutable before delete or update or truncate on ledger_lines
  for each statement execute function ledger_append_only();
create or replace trigger ledger_externals_immutable before delete or update or truncate on ledger_external_refs
  for each statement execute function ledger_append_only();
create or replace trigger ledger_reversals_immutable before delete or update or truncate on ledger_reversals
  for each statement execute function ledger_append_only();
create or replace trigger ledger_kinds_append_only before delete or truncate on ledger_kinds
  for each statement execute function ledger_append_only();
create or replace trigger ledger_kinds_fixed before update of kind, fee_account, fee_account_id, is_once, debits, credits, can_debit_frozen on ledger_kinds
  for each statement execute function ledger_append_only();
create or replace trigger ledger_clearings_immutable before delete or update or truncate on ledger_clearings
  for each statement execute function ledger_append_only();
create or replace trigger ledger_kinds_open_fee_account before insert or update on ledger_kinds
  for each row execute function ledger_kinds_open_fee_account();
