-- An alarm (a wrong sum, or a log that is not what was signed) ends when a check found it right and, after that, a person said why
-- (docs/decisions/0085). What a person explained while it stands is open again; what was over before stays over.
update ledger_differences set explained_at = case when resolved_at is not null then coalesce(explained_at, resolved_at) end
  where comparison in ('sums', 'log');
create index ledger_differences_alarms on ledger_differences (comparison, opened_at) where explained_at is null and comparison in ('sums', 'log');
