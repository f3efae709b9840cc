/**
 * Compares our books with the export of the processor, sale by sale and in both directions: items missing here, items
 * missing there (such as a forged refund or chargeback) and different amounts. All payments of a subscription (NEW and
 * REBILL) are one sale, because the export names them by the same id.
 */
import type { DifferenceKind } from '@stagedoor/contract/admin/reconciliation.ts';
import type { Executor, SqlStatement } from '../../../platform/database/db.ts';
import { createLeastId } from '../../../platform/ids.ts';
import type { FoundDifference } from '../../ledger/ledger-checks/index.ts';
import { getProcessorDayStart } from './exports.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Reversals booked this long after the first exported day certainly happened on an exported day. */
const LATE_MS = 7 * DAY_MS;
/** A booking this shortly before midnight may belong to the next day of the processor, because clocks differ. */
const MIDNIGHT_MARGIN_MS = 15 * 60_000;

export type ExportComparisonInput = {
  provider: string;
  covered: { from: string; until: string };
  first: string;
  since: string;
  subscriptions: readonly string[];
};

type Row = {
  id: string;
  day: string | null;
  webhookId: string | null;
  sold: number | null;
  theirRefunds: number;
  theirChargebacks: number;
  depositId: string | null;
  payable: number;
  /** How many payments we credited, and how much of it is certainly on exported days. */
  payments: number;
  surePayable: number;
  reversed: number;
  paidAt: Date | null;
  refunds: number;
  chargebacks: number;
  sureRefunds: number;
  sureChargebacks: number;
  bookedAt: Date | null;
  transactions: string[] | null;
};

const toBookedSql = (kind: string, condition: string) =>
  `coalesce(sum(e.amount_cents) filter (where t.kind ${kind} 'deposit_chargeback' and t.occurred_at >= ${condition}), 0)::bigint`;

const SALES: SqlStatement = {
  name: 'reconciliation-compare-sales',
  text: `with active as (
      select subscription_id as id from processor_exports where provider = $1 and day >= $2::date and type is not null
      union select processor_subscription_id from deposits where provider = $1 and paid_at >= $3
      union select d.processor_subscription_id from ledger_reversals r join deposits d on d.transaction_id = r.reverses_id where r.transaction_id >= $4::uuid and d.provider = $1
      union select unnest($5::text[])
    ), theirs as (
      select subscription_id as id, min(day)::text as day, sum(amount_cents) filter (where type in ('NEW', 'REBILL'))::bigint as sold,
        coalesce(sum(amount_cents) filter (where type in ('REFUND', 'VOID')), 0)::bigint as refunds, coalesce(sum(amount_cents) filter (where type = 'CHARGEBACK'), 0)::bigint as chargebacks
      from processor_exports where provider = $1 and type is not null and subscription_id in (select id from active) group by 1
    ), ours as (
      select d.processor_subscription_id as id, min(d.id::text) as deposit_id, sum(d.payable_cents)::bigint as payable_cents,
        count(*)::int as payments, coalesce(sum(d.payable_cents) filter (where d.paid_at >= $7 and d.paid_at < $8), 0)::bigint as sure_payable,
        sum(d.reversed_payable_cents)::bigint as reversed_payable_cents, min(d.paid_at) as paid_at,
        sum(b.refunds)::bigint as refunds, sum(b.chargebacks)::bigint as chargebacks, sum(b.sure_refunds)::bigint as sure_refunds,
        sum(b.sure_chargebacks)::bigint as sure_chargebacks, max(b.booked_at) as booked_at,
        string_to_array(nullif(string_agg(array_to_string(b.transactions, ' '), ' ' order by d.id), ''), ' ') as transactions
      from deposits d left join lateral (
        select ${toBookedSql('<>', '$6')} as refunds, ${toBookedSql('=', '$6')} as chargebacks,
          ${toBookedSql('<>', '$7 and t.occurred_at < $8')} as sure_refunds, ${toBookedSql('=', '$7 and t.occurred_at < $8')} as sure_chargebacks,
          max(t.occurred_at) as booked_at, array_agg(t.id::text order by t.id) as transactions
        from ledger_reversals r join ledger_transactions t on t.id = r.transaction_id join ledger_entries e on e.transaction_id = t.id and e.side = 'C'
        join ledger_accounts a on a.id = e.account_id and a.code like 'asset:processor:%' where r.reverses_id = d.transaction_id) b on true
      where d.provider = $1 and d.status = 'success' and d.processor_subscription_id in (select id from active) group by 1
    )
    select id, theirs.day, theirs.sold, coalesce(theirs.refunds, 0) as "theirRefunds", coalesce(theirs.chargebacks, 0) as "theirChargebacks",
      (select e.id::text from processor_webhooks e where e.provider = $1 and e.processor_subscription_id = coalesce(theirs.id, ours.id) order by e.id limit 1) as "webhookId",
      ours.deposit_id as "depositId", coalesce(ours.payable_cents, 0) as payable, coalesce(ours.payments, 0) as payments, coalesce(ours.sure_payable, 0) as "surePayable", coalesce(ours.reversed_payable_cents, 0) as reversed, ours.paid_at as "paidAt",
      coalesce(ours.refunds, 0) as refunds, coalesce(ours.chargebacks, 0) as chargebacks,
      coalesce(ours.sure_refunds, 0) as "sureRefunds", coalesce(ours.sure_chargebacks, 0) as "sureChargebacks",
      ours.booked_at as "bookedAt", ours.transactions
    from theirs full join ours using (id)
    where theirs.sold is distinct from ours.payable_cents or coalesce(theirs.refunds, 0) <> coalesce(ours.refunds, 0)
      or coalesce(theirs.chargebacks, 0) <> coalesce(ours.chargebacks, 0)`,
};
const COUNT: SqlStatement = {
  name: 'reconciliation-compare-count',
  text: `select (select count(*) from processor_exports where provider = $1 and day >= $2::date)
    + (select count(*) from deposits where provider = $1 and paid_at >= $3) as count`,
};
const UNREADABLE: SqlStatement = {
  name: 'reconciliation-compare-unreadable',
  text: 'select distinct day::text as day, subscription_id as trace from processor_exports where provider = $1 and type is null',
};

const toDetails = ({ id, depositId, webhookId, transactions }: Row): Record<string, string> => ({
  subscription: id,
  ...(depositId !== null && { deposit: depositId }),
  ...(webhookId !== null && { post: webhookId }),
  ...(transactions && { transactions: transactions.join(' ') }),
});

function compareSale(row: Row, isSure: (at: Date | null) => boolean): FoundDifference[] {
  const { depositId, sold, payable, theirRefunds, theirChargebacks } = row;
  const toDifference = (
    kind: DifferenceKind,
    theirsCents: number | null,
    oursCents: number | null,
  ): FoundDifference[] => [
    {
      kind,
      key: row.id,
      occurredAt: row.paidAt ?? (row.day === null ? null : getProcessorDayStart(row.day)),
      theirsCents,
      oursCents,
      details: toDetails(row),
    },
  ];
  if (depositId === null) {
    // An unknown sale that was fully refunded is no difference, because uncredited payments end that way.
    return sold !== null && theirRefunds + theirChargebacks < sold ? toDifference('saleUnknownHere', sold, null) : [];
  }
  if (sold === null) return isSure(row.paidAt) ? toDifference('saleUnknownThere', null, payable) : [];
  // A renewal at the edge of the exported days may be missing on either side.
  const isSame = row.payments > 1 ? sold <= payable && sold >= row.surePayable : sold === payable;
  return isSame ? [] : toDifference('saleDiffers', sold, payable);
}

function compareReversals(row: Row): FoundDifference[] {
  const { depositId, sold, payable, reversed } = row;
  const comparisons = [
    ['refundUnknownThere', 'refundUnknownHere', row.theirRefunds, row.refunds, row.sureRefunds],
    ['chargebackUnknownThere', 'chargebackUnknownHere', row.theirChargebacks, row.chargebacks, row.sureChargebacks],
  ] as const;
  if (depositId === null && sold !== null) return [];
  const ours = row.refunds + row.chargebacks;
  // No more than the payment can be reversed, although the processor may send both a void and a refund.
  const max = depositId === null ? Number.MAX_SAFE_INTEGER : payable - (reversed - ours);
  const isLess = ours < Math.min(row.theirRefunds + row.theirChargebacks, max);
  return comparisons.flatMap(([there, here, theirsCents, oursCents, sure]): FoundDifference[] => {
    const kind = sure > theirsCents ? there : isLess && oursCents < theirsCents ? here : undefined;
    const occurredAt = row.bookedAt ?? row.paidAt ?? (row.day === null ? null : getProcessorDayStart(row.day));
    return kind ? [{ kind, key: row.id, occurredAt, theirsCents, oursCents, details: toDetails(row) }] : [];
  });
}

export async function compareWithExport(
  db: Executor,
  { provider, covered, first, since, subscriptions }: ExportComparisonInput,
): Promise<{ differences: FoundDifference[]; since: Date; checkedCount: number }> {
  const from = getProcessorDayStart(covered.from);
  const until = getProcessorDayStart(covered.until);
  // A late webhook is booked after its day, never before it. There was no sale before the first order.
  const sureFrom = covered.from <= first ? from : new Date(from.getTime() + LATE_MS);
  const start = getProcessorDayStart(since);
  const sureUntil = new Date(until.getTime() - MIDNIGHT_MARGIN_MS);
  const isSure = (at: Date | null) => at !== null && at >= sureFrom && at < sureUntil;
  const rows = await db.run<Row>(SALES, [
    provider,
    since,
    start,
    createLeastId(start),
    subscriptions,
    from,
    sureFrom,
    sureUntil,
  ]);
  const unreadable = await db.run<{ day: string; trace: string }>(UNREADABLE, [provider]);
  const [counted] = await db.run<{ count: number }>(COUNT, [provider, since, start]);
  return {
    differences: [
      ...rows.flatMap((row) => [...compareSale(row, isSure), ...compareReversals(row)]),
      ...unreadable.map(({ day, trace }): FoundDifference => {
        const key = `${day} ${trace}`;
        return {
          kind: 'rowUnreadable',
          key,
          occurredAt: getProcessorDayStart(day),
          theirsCents: null,
          oursCents: null,
          details: { day },
        };
      }),
    ],
    since: sureFrom,
    checkedCount: counted?.count ?? 0,
  };
}
