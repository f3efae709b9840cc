/**
 * Compares orders, journal and webhooks: each paid order has a transaction with its amounts, each transaction has an
 * order and a webhook, each processed webhook has a transaction, and the amount due from the processor matches the
 * orders. Needs no external service.
 */
import type { DifferenceKind } from '@stagedoor/contract/admin/reconciliation.ts';
import type { Executor, SqlStatement } from '../../../platform/database/db.ts';
import { createLeastId } from '../../../platform/ids.ts';
import type { FoundDifference } from '../../ledger/ledger-checks/index.ts';

const REPORTED = `(values ('deposit', 'NewSaleSuccess'), ('deposit', 'RenewalSuccess'), ('deposit_refund', 'Refund'), ('deposit_chargeback', 'Chargeback'),
    ('deposit_void', 'Void'), ('deposit_return', 'Return')) as reported (kind, event_type)`;

const toCardSql = (side: 'D' | 'C', transaction: string) =>
  `coalesce((select sum(e.amount_cents) from ledger_entries e join ledger_accounts a on a.id = e.account_id and a.code like 'asset:processor:%'
    where e.transaction_id = ${transaction} and e.side = '${side}'), 0)::bigint`;

type Row = {
  key: string;
  at: Date | null;
  theirs: number | null;
  ours: number | null;
  kind: DifferenceKind;
  details: Record<string, string | null>;
};

/** `$1` is the start time and `$2` the lowest id from then on. Each statement returns differences. */
const TRANSACTIONS: SqlStatement = {
  name: 'reconciliation-compare-transactions',
  text: `select t.id::text as key, t.occurred_at as at, null::bigint as theirs, ${toCardSql('D', 't.id')} + ${toCardSql('C', 't.id')} as ours,
      case when d.id is null then 'transactionWithoutOrder' else 'transactionWithoutPost' end as kind,
      jsonb_build_object('transaction', t.id, 'of', t.kind, 'deposit', d.id) as details
    from ledger_transactions t join (select kind, array_agg(event_type) as event_types from ${REPORTED} group by kind) reported on reported.kind = t.kind
    left join ledger_reversals r on r.transaction_id = t.id
    left join ledger_external_refs x on x.transaction_id = t.id
    left join deposits d on d.transaction_id = case when t.kind = 'deposit' then t.id else r.reverses_id end and d.status = 'success'
    where t.id >= $2::uuid and t.occurred_at >= $1 and (d.id is null or not exists (
      select from processor_webhooks e where e.provider = x.provider and e.processor_transaction_id = x.ref and e.event_type = any (reported.event_types)
        and e.deposit_id = d.id and e.state in ('processed', 'won')))`,
};
const ORDERS: SqlStatement = {
  name: 'reconciliation-compare-orders',
  text: `select d.id::text as key, d.paid_at as at, d.payable_cents - d.reversed_payable_cents as theirs,
      case when t.id is not null then j.card - j.back end as ours, case when t.id is null then 'orderWithoutTransaction' else 'orderDiffers' end as kind,
      jsonb_build_object('deposit', d.id, 'transaction', d.transaction_id, 'subscription', d.processor_subscription_id) as details
    from deposits d left join ledger_transactions t on t.id = d.transaction_id and t.kind = 'deposit'
    cross join lateral (select ${toCardSql('D', 't.id')} as card,
      coalesce((select sum(e.amount_cents) from ledger_entries e join ledger_accounts a on a.id = e.account_id and a.code = 'rev:deposit_fee' where e.transaction_id = t.id), 0)::bigint as fee,
      (with recursive back as (select transaction_id as id from ledger_reversals where reverses_id = t.id
          union all select r.transaction_id from back join ledger_reversals r on r.reverses_id = back.id)
        select coalesce(sum(${toCardSql('C', 'back.id')} - ${toCardSql('D', 'back.id')}), 0) from back)::bigint as back) j
    where d.status = 'success' and (d.paid_at >= $1 or d.transaction_id in (select coalesce(c.reverses_id, b.reverses_id, r.reverses_id) from ledger_reversals r
        left join ledger_reversals b on b.transaction_id = r.reverses_id left join ledger_reversals c on c.transaction_id = b.reverses_id
        where r.transaction_id >= $2::uuid))
      and (t.id is null or (j.card, j.fee, j.back) is distinct from (d.payable_cents, d.fee_cents, d.reversed_payable_cents))`,
};
const WEBHOOKS: SqlStatement = {
  name: 'reconciliation-compare-webhooks',
  text: `select e.id::text as key, e.processed_at as at, null::bigint as theirs, null::bigint as ours, 'postWithoutTransaction' as kind,
      jsonb_build_object('post', e.id, 'of', e.event_type, 'deposit', e.deposit_id, 'subscription', e.processor_subscription_id) as details
    from processor_webhooks e join ${REPORTED} on reported.event_type = e.event_type
    where e.state = 'processed' and e.deposit_id is not null and e.processed_at >= $1 and $2::uuid is not null and not exists (
      select from ledger_external_refs x join ledger_transactions t on t.id = x.transaction_id
      where x.provider = e.provider and x.ref = e.processor_transaction_id and t.kind = reported.kind)`,
};
/** Kinds that change the amount due from the processor, other than deposits and their reversals. */
export const SETTLEMENT_KINDS = `('settlement', 'processor_fee', 'chargeback_fee', 'processor_settlement', 'processor_settlement_return')`;
/**
 * Settlements and fees are excluded, because they have sums of their own. Returns by how much our amount is higher,
 * which regular sales do not change.
 */
const CLEARING: SqlStatement = {
  name: 'reconciliation-compare-clearing',
  text: `select a.code as key, null::timestamptz as at, null::bigint as theirs, w.ours - w.theirs as ours, 'clearingDiffers' as kind, jsonb_build_object('account', a.code) as details
    from ledger_accounts a cross join lateral (select ledger_balance(a.code) as ours,
      (coalesce((select sum(d.payable_cents - d.reversed_payable_cents) from deposits d where d.status = 'success' and a.code = 'asset:processor:' || d.provider || ':clearing'), 0)
        + coalesce((select sum(s.amount_cents) from ledger_received(a.id, '-infinity', 'infinity') s where s.tag in ${SETTLEMENT_KINDS}), 0))::bigint as theirs) w
    where a.code like 'asset:processor:%:clearing' and $1::timestamptz is not null and $2::uuid is not null and w.theirs <> w.ours`,
};
const COUNT: SqlStatement = {
  name: 'reconciliation-compare-orders-count',
  text: `select (select count(*) from deposits d where d.status = 'success' and d.paid_at >= $1)
    + (select count(*) from ledger_transactions t where t.kind in (select kind from ${REPORTED}) and t.id >= $2::uuid) as count`,
};

const EPOCH = new Date(0);

/**
 * Returns all differences since a time (null: since the beginning) and the number of compared items. Requires a
 * snapshot.
 */
export async function compareOrders(
  tx: Executor,
  since: Date | null,
): Promise<{ differences: FoundDifference[]; checkedCount: number }> {
  const values = [since ?? EPOCH, createLeastId(since ?? EPOCH)];
  const rows: Row[] = [];
  for (const statement of [TRANSACTIONS, ORDERS, WEBHOOKS, CLEARING])
    rows.push(...(await tx.run<Row>(statement, values)));
  const [counted] = await tx.run<{ count: number }>(COUNT, values);
  return {
    differences: rows.map(({ kind, key, at, theirs, ours, details }) => ({
      ...{ kind, key, occurredAt: at, theirsCents: theirs, oursCents: ours },
      details: Object.fromEntries(
        Object.entries(details).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
      ),
    })),
    checkedCount: counted?.count ?? 0,
  };
}
