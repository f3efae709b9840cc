/** Checks processor settlements that operators booked against the ledger and the audit log. */
import type { CheckScope, LedgerCheck } from './check-definition.ts';

const signed = `case e.side when 'D' then e.amount_cents else -e.amount_cents end`;
const toSettledSql = (
  transaction: string,
) => `(select coalesce(sum(${signed}) filter (where a.code = 'asset:bank:operating'), 0) as bank,
    coalesce(sum(${signed}) filter (where a.code = 'exp:processor_fee'), 0) as fee, coalesce(sum(${signed}) filter (where a.code = 'exp:chargeback_fee'), 0) as chargeback,
    coalesce(sum(${signed}) filter (where a.code = 'asset:processor:' || s.provider || ':clearing'), 0) as clearing
  from ledger_entries e join ledger_accounts a on a.id = e.account_id where e.transaction_id = ${transaction})`;
const toAuditedSql = (action: string, details: string) =>
  `exists (select from audit_log l where l.subject_kind = 'transaction' and l.subject_id = s.transaction_id::text and l.action = '${action}' and ${details})`;

/** There are few settlements, so each check reads all of them. */
export const createSettlementCheck = ({ toCheckSql, transactions }: CheckScope): LedgerCheck => ({
  name: 'each processor settlement and each reversal equals its transaction to the cent, and both are in the audit log',
  needs: ['audit_log', 'processor_settlements'],
  sql: toCheckSql(`select s.id as key, t.kind = 'processor_settlement' and t.occurred_at = s.at and x.provider = s.provider and x.ref = s.reference
        and (b.bank, b.fee, b.chargeback, -b.clearing) = (s.bank_cents, s.fee_cents, s.chargeback_fee_cents, s.bank_cents + s.fee_cents + s.chargeback_fee_cents)
        and ${toAuditedSql('settlement.book', `l.operator_id = s.operator_id and l.details ->> 'reference' = s.reference and l.details ->> 'day' = s.day::text`)}
        and r.transaction_id is not distinct from s.reversal_transaction_id
        and (s.reversal_transaction_id is null or u.kind = 'processor_settlement_return' and u.occurred_at = s.reversed_at and (c.bank, c.fee, c.chargeback, c.clearing) = (-b.bank, -b.fee, -b.chargeback, -b.clearing)
          and ${toAuditedSql('settlement.reverse', `l.operator_id = s.reversed_by and l.details ->> 'reason' = s.reversal_reason`)}) as ok
      from processor_settlements s left join ledger_transactions t on t.id = s.transaction_id left join ledger_external_refs x on x.transaction_id = s.transaction_id
      left join ledger_reversals r on r.reverses_id = s.transaction_id left join ledger_transactions u on u.id = s.reversal_transaction_id
      cross join lateral ${toSettledSql('s.transaction_id')} b cross join lateral ${toSettledSql('s.reversal_transaction_id')} c
      union all select t.id, exists (select from processor_settlements s where t.id in (s.transaction_id, s.reversal_transaction_id))
      from ${transactions} t where t.kind in ('processor_settlement', 'processor_settlement_return')`),
});
