create or replace trigger ledger_explanations_immutable before delete or update or truncate on reconciliation_explanations
  for each statement execute function ledger_append_only();
