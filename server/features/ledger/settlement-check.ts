/** Checks processor settlements that operators booked against the ledger and the audit log. */
import type { Check, Scope } from './checks.ts';

const signed = `case e.side when 'D' then e.amount_cents else -e.amount_cents end`;
const settled = (
  transaction: string,
) => `(select coalesce(sum(${signed}) filter (where a.code = 'asset:bank:operating'), 0) as bank,
    coalesce(sum(${signed}) filter (where a.code = 'exp:processor_fee'), 0) as fee, coalesce(sum(${signed}) filter (where a.code = 'exp:chargeback_fee'), 0) as chargeback,
    coalesce(sum(${signed}) filter (where a.code = 'asset:processor:' || s.provider || ':clearing'), 0) as clearing
  from ledger_entries e join ledger_accounts a on a.id = e.account_id where e.transaction_id = ${transaction})`;
const noted = (act: string, facts: string) =>
  `exists (select from audit_log l where l.subject_kind = 'transaction' and l.subject_id = s.transaction_id::text and l.act = '${act}' and ${facts})`;

/** There are few settlements, so each check reads all of them. */
export const settlementCheck = ({ all, transactions }: Scope): Check => ({
  name: 'each processor settlement and each reversal equals its transaction to the cent, and both are in the audit log',
  needs: ['audit_log', 'processor_settlements'],
  sql: all(`select s.id as key, t.kind = 'processor_settlement' and t.occurred_at = s.at and x.provider = s.provider and x.ref = s.reference
        and (b.bank, b.fee, b.chargeback, -b.clearing) = (s.bank_cents, s.fee_cents, s.chargeback_fee_cents, s.bank_cents + s.fee_cents + s.chargeback_fee_cents)
        and ${noted('settlement.book', `l.operator_id = s.operator_id and l.facts ->> 'reference' = s.reference and l.facts ->> 'day' = s.day::text`)}
        and r.transaction_id is not distinct from s.taken_back_id
        and (s.taken_back_id is null or u.kind = 'processor_settlement_return' and u.occurred_at = s.taken_back_at and (c.bank, c.fee, c.chargeback, c.clearing) = (-b.bank, -b.fee, -b.chargeback, -b.clearing)
          and ${noted('settlement.takeBack', `l.operator_id = s.taken_back_by and l.facts ->> 'ground' = s.taken_back_ground`)}) as ok
      from processor_settlements s left join ledger_transactions t on t.id = s.transaction_id left join ledger_externals x on x.transaction_id = s.transaction_id
      left join ledger_reversals r on r.reverses_id = s.transaction_id left join ledger_transactions u on u.id = s.taken_back_id
      cross join lateral ${settled('s.transaction_id')} b cross join lateral ${settled('s.taken_back_id')} c
      union all select t.id, exists (select from processor_settlements s where t.id in (s.transaction_id, s.taken_back_id))
      from ${transactions} t where t.kind in ('processor_settlement', 'processor_settlement_return')`),
});
