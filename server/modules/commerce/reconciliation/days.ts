import type { Executor, SqlStatement } from '../../../platform/database/db.ts';
import { createLeastId } from '../../../platform/ids.ts';
import { CCBILL } from '../ccbill/index.ts';
import { addProcessorDays, getProcessorDayStart } from './exports.ts';
import { SETTLEMENT_KINDS } from './orders.ts';

/** In cents. */
type MovedAmounts = { sold: number; refunded: number; chargedBack: number };
export type ProcessorDay = {
  /** `YYYY-MM-DD` in the calendar of the processor. */
  day: string;
  requestedAt: Date | null;
  theirs: MovedAmounts;
  ours: MovedAmounts;
};

/** The day in Arizona, which uses UTC−7 all year (values.ts of ccbill). */
const toDaySql = (at: string) => `(${at} at time zone 'UTC' - interval '7 hours')::date`;
const DAYS: SqlStatement = {
  name: 'reconciliation-days',
  text: `with days as (select d::date as day from generate_series($2::date, $3::date, interval '1 day') d),
    theirs as (select day, sum(amount_cents) filter (where type in ('NEW', 'REBILL')) as sold, sum(amount_cents) filter (where type in ('REFUND', 'VOID')) as refunded,
        sum(amount_cents) filter (where type = 'CHARGEBACK') as charged_back
      from processor_exports where provider = $1 and day between $2 and $3 and type is not null group by 1),
    moved as (select ${toDaySql('t.occurred_at')} as day, t.kind, (select sum(a) from unnest(t.amounts::bigint[]) a where a > 0) as cents
      from ledger_transactions t where t.kind in ('deposit', 'deposit_refund', 'deposit_void', 'deposit_return', 'deposit_chargeback')
        and t.occurred_at >= $4 and t.occurred_at < $5 and t.id >= $6::uuid
        and t.account_ids @> array[(select id from ledger_accounts where code = 'asset:processor:' || $1 || ':clearing')]),
    ours as (select day, sum(cents) filter (where kind = 'deposit') as sold, sum(cents) filter (where kind = 'deposit_chargeback') as charged_back,
        sum(cents) filter (where kind in ('deposit_refund', 'deposit_void', 'deposit_return')) as refunded from moved group by 1)
    select days.day::text as day, x.requested_at as "requestedAt",
      json_build_object('sold', coalesce(theirs.sold, 0), 'refunded', coalesce(theirs.refunded, 0), 'chargedBack', coalesce(theirs.charged_back, 0)) as theirs,
      json_build_object('sold', coalesce(ours.sold, 0), 'refunded', coalesce(ours.refunded, 0), 'chargedBack', coalesce(ours.charged_back, 0)) as ours
    from days left join processor_export_days x on x.provider = $1 and x.day = days.day left join theirs on theirs.day = days.day
    left join ours on ours.day = days.day order by days.day desc`,
};

/** Returns the days from `from` to `to`, both inclusive, newest first. */
export function listProcessorDays(db: Executor, from: string, to: string): Promise<ProcessorDay[]> {
  const [start, end] = [getProcessorDayStart(from), getProcessorDayStart(addProcessorDays(to, 1))];
  return db.run(DAYS, [CCBILL, from, to, start, end, createLeastId(start)]);
}

/** Signed amounts in cents since the beginning, and what the processor owes us. */
export type ProcessorTotals = { sold: number; refunded: number; chargedBack: number; settled: number; owed: number };

const toSumSql = (tags: string, name: string) =>
  `coalesce(sum(r.amount_cents) filter (where r.tag in ${tags}), 0)::bigint as "${name}"`;
const TOTALS: SqlStatement = {
  name: 'reconciliation-way',
  text: `select ${toSumSql(`('deposit')`, 'sold')}, ${toSumSql(`('deposit_refund', 'deposit_void', 'deposit_return')`, 'refunded')},
      ${toSumSql(`('deposit_chargeback', 'chargeback_won', 'chargeback_upheld')`, 'chargedBack')}, ${toSumSql(SETTLEMENT_KINDS, 'settled')},
      coalesce(sum(r.amount_cents), 0)::bigint as owed
    from ledger_accounts a cross join lateral ledger_received(a.id, '-infinity', 'infinity') r where a.code = 'asset:processor:' || $1 || ':clearing'`,
};

export async function getProcessorTotals(db: Executor): Promise<ProcessorTotals> {
  const [row] = await db.run<ProcessorTotals>(TOTALS, [CCBILL]);
  if (!row) throw new Error('a sum always answers a row');
  return row;
}
