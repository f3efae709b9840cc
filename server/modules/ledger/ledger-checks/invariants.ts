/**
 * The ledger invariants, each as one query over everything or over what is newer than the last verified state. The
 * queries also read (never write) tables of modules that keep their money in the ledger. A check whose tables do not
 * exist is skipped. The table `ledger_kinds` defines what each kind of transaction may move.
 */

import { TIP_TYPES } from '@stagedoor/contract/finance/wallet.ts';
import { CALL_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import type { CheckScope, LedgerCheck } from './check-definition.ts';
import { listCommissionChecks } from './commission-checks.ts';
import { createSettlementCheck } from './settlement-check.ts';

const SALE_KINDS = 'select kind from ledger_kinds where fee_account is not null';

/** Reversals of deposits, reversals of those (won chargebacks) and their reversals in turn, each with its deposit. */
const REVERSALS_OF_DEPOSITS = `select r.transaction_id, coalesce(c.reverses_id, d.reverses_id, r.reverses_id) as reverses_id
  from ledger_reversals r left join ledger_reversals d on d.transaction_id = r.reverses_id left join ledger_reversals c on c.transaction_id = d.reverses_id`;

const signed = `case e.side when 'D' then e.amount_cents else -e.amount_cents end`;
const normal = `case when (e.side = 'D') = (a.kind in ('asset', 'expense')) then e.amount_cents else -e.amount_cents end`;

/**
 * Incremental check: rows of database transactions before `$1` are verified. `$2` and `$3` are the lowest and highest
 * id of newer transactions.
 */
const FRESH = `with fresh as not materialized (select * from ledger_transactions where xid >= $1::bigint and id between $2::uuid and $3::uuid),
    moved as not materialized (select * from ledger_entries where xid >= $1::bigint and transaction_id between $2::uuid and $3::uuid),
    touched as not materialized (select id from fresh union all select r.reverses_id from ledger_reversals r where r.transaction_id between $2::uuid and $3::uuid
      union all select d.reverses_id from ledger_reversals r join ledger_reversals d on d.transaction_id = r.reverses_id where r.transaction_id between $2::uuid and $3::uuid
      union all select c.reverses_id from ledger_reversals r join ledger_reversals d on d.transaction_id = r.reverses_id
        join ledger_reversals c on c.transaction_id = d.reverses_id where r.transaction_id between $2::uuid and $3::uuid)
  `;

function createScope(isIncremental: boolean): CheckScope {
  const prefix = isIncremental ? FRESH : '';
  return {
    isIncremental,
    prefix,
    toCheckSql: (source) =>
      `${prefix}select count(*)::bigint as count, coalesce((array_agg(key::text order by key::text) filter (where ok is not true))[1:5], '{}') as wrong,
        count(*) filter (where ok is not true) || ' ' || md5(string_agg(key::text, ' ' order by key::text) filter (where ok is not true)) as all_wrong from (${source}) as checked`,
    transactions: isIncremental ? 'fresh' : 'ledger_transactions',
    entries: isIncremental ? 'moved' : 'ledger_entries',
    isNew: (id) => (isIncremental ? `${id} between $2::uuid and $3::uuid` : 'true'),
    isTouched: (id) => (isIncremental ? `${id} in (select id from touched)` : 'true'),
  };
}

const listJournalChecks = ({
  toCheckSql,
  prefix,
  transactions,
  entries,
  isNew,
}: CheckScope): readonly LedgerCheck[] => [
  {
    name: 'each transaction has at least two legs on existing accounts, and debits equal credits',
    sql: toCheckSql(`select t.id as key, cardinality(t.account_ids) = cardinality(t.amounts) and e.legs >= 2 and e.sum = 0 and e.unknown = 0 as ok
      from ${transactions} t cross join lateral (
        select count(*) as legs, sum(l.amount) as sum, count(*) filter (where a.id is null) as unknown
        from unnest(t.account_ids, t.amounts::bigint[]) as l (account_id, amount) left join ledger_accounts a on a.id = l.account_id where l.amount <> 0) e`),
  },
  {
    name: 'each transaction has a known kind, and debits and credits only accounts that the kind allows',
    sql: toCheckSql(`select e.transaction_id as key, bool_and(a.code like any (case e.side when 'D' then k.debits else k.credits end)) as ok
      from ${entries} e join ledger_accounts a on a.id = e.account_id left join ledger_kinds k on k.kind = e.kind group by 1`),
  },
  {
    name: 'all debits equal all credits',
    sql: `${prefix}select count(*)::bigint as count, case when coalesce(sum(${signed}), 0) = 0 then '{}' else array[sum(${signed})::text] end as wrong from ${entries} e`,
  },
  {
    name: 'each operation has an actor and a request hash, and each external event and reversal has a transaction',
    sql: toCheckSql(`select t.id as key, (t.operation_id is null) = (t.request_hash is null) and (t.operation_id is null or t.actor_id is not null) as ok from ${transactions} t
      union all select x.transaction_id, exists (select from ledger_transactions t where t.id = x.transaction_id) from ledger_external_refs x where ${isNew('x.transaction_id')}
      union all select r.transaction_id, exists (select from ledger_transactions t where t.id = r.reverses_id) from ledger_reversals r where ${isNew('r.transaction_id')}`),
  },
  {
    name: 'each clearing moved exactly the amounts that it cleared',
    sql: toCheckSql(`select c.clearing_id as key, sum(c.amount_cents) = (select sum(e.amount_cents) from ledger_entries e
        where e.transaction_id = c.clearing_id and e.account_id = c.account_id and e.side = 'D' and e.kind = 'clearing') as ok
      from ledger_clearings c where ${isNew('c.clearing_id')} group by c.clearing_id, c.account_id`),
  },
];

const listAccountChecks = ({ toCheckSql, isIncremental, entries, isNew }: CheckScope): readonly LedgerCheck[] => [
  {
    name: 'each balance equals the sum of its entries, including those that are not rolled up yet',
    sql: toCheckSql(`select a.code as key, a.balance_cents + coalesce(i.amount_cents, 0) = coalesce(s.amount_cents, 0) ${isIncremental ? '+ coalesce(p.cents, 0)' : ''} as ok
      from ledger_accounts a
      left join (select id, sum(amount_cents) as amount_cents from (select account_id as id, amount_cents as amount_cents from ledger_inflows
        union all select platform_account_id, platform_cents from ledger_inflows) u group by 1) i on i.id = a.id
      left join (select e.account_id, sum(${normal}) as amount_cents from ${entries} e join ledger_accounts a on a.id = e.account_id group by 1) s on s.account_id = a.id
      ${isIncremental ? 'left join ledger_verified_balances p on p.account_id = a.id' : ''}`),
  },
  {
    name: 'no spendable account is negative, and none is credited without a lock',
    sql: toCheckSql(`select a.code as key, a.balance_cents >= 0 and not exists (select from ledger_inflows i where i.account_id = a.id) as ok
      from ledger_accounts a where a.spendable`),
  },
  {
    name: 'each statement has no gaps, each balance follows from the one before, and the last one is the account’s balance',
    sql: toCheckSql(`select a.code || ' line ' || l.line as key, l.line = 1 and l.balance_cents = l.amount_cents
        or l.line > 1 and l.balance_cents = before.balance_cents + l.amount_cents as ok
      from ledger_lines l
      left join ledger_lines before on before.account_id = l.account_id and before.line = l.line - 1
      left join ledger_accounts a on a.id = l.account_id where ${isNew('l.transaction_id')}
      union all select a.code || ' line ' || a.lines, coalesce(last.line, 0) = a.lines and coalesce(last.balance_cents, 0) = a.balance_cents
      from ledger_accounts a left join lateral (
        select l.line, l.balance_cents from ledger_lines l where l.account_id = a.id order by l.line desc limit 1) last on true where a.spendable`),
  },
  {
    name: 'the lines of each statement are exactly the legs of its transactions',
    sql: toCheckSql(`with legs as (select e.transaction_id, e.account_id, e.kind, sum(${normal}) as amount_cents from ${entries} e join ledger_accounts a on a.id = e.account_id and a.spendable group by 1, 2, 3),
        lines as (select l.transaction_id, l.account_id, l.kind, sum(l.amount_cents) as amount_cents from ledger_lines l
          ${isIncremental ? 'left join ledger_transactions t on t.id = l.transaction_id where coalesce(t.xid >= $1::bigint, true) and' : 'where'} ${isNew('l.transaction_id')} group by 1, 2, 3)
      select coalesce(legs.transaction_id, lines.transaction_id) as key, legs.amount_cents is not distinct from lines.amount_cents as ok from legs full join lines using (transaction_id, account_id, kind)`),
  },
  {
    name: 'the lines of each statement are in chronological order, except for late ones within the limit of the account',
    sql: toCheckSql(
      isIncremental
        ? `select a.code || ' line ' || l.line as key, t.occurred_at <= a.last_line_at
            and coalesce(b.occurred_at <= t.occurred_at + a.max_late_ms * interval '1 ms', l.line = 1) as ok
          from ledger_lines l join ledger_accounts a on a.id = l.account_id left join ledger_transactions t on t.id = l.transaction_id
          left join ledger_lines before on before.account_id = l.account_id and before.line = l.line - 1
          left join ledger_transactions b on b.id = before.transaction_id where ${isNew('l.transaction_id')}`
        : `select a.code as key, a.last_line_at is not distinct from l.at and a.max_late_ms = coalesce(l.max_late_ms, 0) as ok
          from ledger_accounts a left join (
            select account_id, max(at) as at, max(extract(epoch from before - at) * 1000) filter (where before > at) as max_late_ms
            from (select l.account_id, t.occurred_at as at,
                max(t.occurred_at) over (partition by l.account_id order by l.line rows between unbounded preceding and 1 preceding) as before
              from ledger_lines l join ledger_transactions t on t.id = l.transaction_id) every group by 1) l on l.account_id = a.id where a.spendable`,
    ),
  },
  {
    name: 'daily totals equal what was rolled up',
    sql: toCheckSql(`select a.code as key, a.balance_cents = coalesce(d.amount_cents, 0) as ok from ledger_accounts a
      left join (select account_id, sum(amount_cents) as amount_cents from ledger_daily_totals group by 1) d on d.account_id = a.id where not a.spendable`),
  },
  {
    name: 'monthly and overall totals equal the daily totals',
    sql: toCheckSql(`with days as (
        select d.account_id, s.span, s.first, d.tag, sum(d.amount_cents) as amount_cents, sum(d.items) as items, sum(d.platform_cents) as fees
        from ledger_daily_totals d cross join lateral (values ('month', date_trunc('month', d.day::timestamp)::date), ('all', '-infinity'::date)) s (span, first) group by 1, 2, 3, 4)
      select coalesce(s.account_id, d.account_id) || ' ' || coalesce(s.first, d.first) || ' ' || coalesce(s.tag, d.tag) as key,
        s.amount_cents is not distinct from d.amount_cents and s.items is not distinct from d.items and s.platform_cents is not distinct from d.fees as ok
      from ledger_period_totals s full join days d using (account_id, span, first, tag)`),
  },
  {
    name: 'the held balance of each fan equals their open holds, and no hold is captured beyond its amount',
    sql: toCheckSql(`select fan.id as key, coalesce((select a.balance_cents from ledger_accounts a where a.code = 'liab:fan:' || fan.id || ':call_hold'), 0)
        = (select coalesce(sum(h.amount_cents), 0) from ledger_holds h where h.fan_id = fan.id and h.state = 'held')
        and not exists (select from ledger_holds h where h.fan_id = fan.id and h.captured_cents > h.amount_cents) as ok
      from (select owner_id as id from ledger_accounts where code like 'liab:fan:%:call_hold' union select fan_id from ledger_holds) fan`),
  },
  {
    name: 'pending balances equal the amounts that have not cleared',
    sql: toCheckSql(`select a.code as key, a.balance_cents + coalesce(i.amount_cents, 0) = coalesce(m.amount_cents, 0) + coalesce(i.waiting, 0) as ok from ledger_accounts a
      left join (select account_id, sum(amount_cents) as amount_cents, sum(amount_cents) filter (where due_at is not null) as waiting from ledger_inflows group by 1) i on i.account_id = a.id
      left join (select account_id, sum(amount_cents) as amount_cents from ledger_pending_clearings group by 1) m on m.account_id = a.id
      where a.code like 'liab:%:pending'`),
  },
  {
    name: 'users with a debt have no spendable balance, and users without one are not blocked for debt',
    sql: toCheckSql(`select w.code as key, (o.balance_cents is not distinct from 0 or o.id is null or w.balance_cents = 0) and (not w.is_frozen_for_debt or o.balance_cents > 0) as ok
      from ledger_accounts w left join ledger_accounts o on o.code = 'asset:fan:' || w.owner_id || ':receivable' where w.code like 'liab:fan:%:wallet'`),
  },
];

const listSaleChecks = ({ toCheckSql, transactions, isTouched }: CheckScope): readonly LedgerCheck[] => [
  {
    name: 'the split of each sale adds up, uses the fee in force at that time, and equals its entries',
    needs: ['sales'],
    sql: toCheckSql(`select s.id as key, s.gross_cents > 0 and s.fee_cents between 0 and s.gross_cents and s.net_cents = s.gross_cents - s.fee_cents
        and s.fee_cents = (s.gross_cents * s.fee_basis_points + 5000) / 10000 and (s.tip_type is null or s.tip_type = any ('{${TIP_TYPES}}')) and length(s.note) <= 200
        and coalesce(e.fan, 0) = s.gross_cents and coalesce(e.creator, 0) = -s.net_cents and coalesce(e.fee, 0) = -s.fee_cents as ok
      from sales s left join lateral (
        select sum(${signed}) filter (where a.code like 'liab:fan:' || s.fan_id || ':%') as fan, sum(${signed}) filter (where a.code = 'liab:creator:' || s.creator_id || ':pending') as creator,
          sum(${signed}) filter (where a.code = k.fee_account) as fee
        from ledger_kinds k, ledger_entries e join ledger_accounts a on a.id = e.account_id where k.kind = s.kind and e.transaction_id = s.id) e on true
      where ${isTouched('s.id')}`),
  },
  {
    name: 'each charge in the ledger has its sale',
    needs: ['sales'],
    sql: toCheckSql(
      `select t.id as key, s.id is not null as ok from ${transactions} t left join sales s on s.id = t.id where t.kind in (${SALE_KINDS})`,
    ),
  },
  {
    name: 'the refunded amount of each sale equals its refunds, is at most the sale, and includes the proportional fee',
    needs: ['sales'],
    sql: toCheckSql(`select s.id as key, s.reversed_cents between 0 and s.gross_cents and s.reversed_fee_cents = round(s.fee_cents::numeric * s.reversed_cents / s.gross_cents)
        and s.reversed_cents = coalesce(e.wallet, 0) and s.reversed_fee_cents = coalesce(e.fee, 0) and s.refunded_at is not distinct from e.at as ok
      from sales s left join lateral (
        select sum(e.amount_cents) filter (where a.code like '%:wallet') as wallet, sum(e.amount_cents) filter (where a.code like 'rev:%') as fee, max(t.occurred_at) as at
        from ledger_reversals r join ledger_transactions t on t.id = r.transaction_id and t.kind = 'sale_refund'
        join ledger_entries e on e.transaction_id = t.id join ledger_accounts a on a.id = e.account_id where r.reverses_id = s.id) e on true
      where ${isTouched('s.id')}`),
  },
  {
    name: 'fans own each purchase that is not fully refunded exactly once',
    needs: ['sales'],
    sql: toCheckSql(`select coalesce(s.id, o.sale_id) as key, s.id is not null and o.sale_id is not null and s.fan_id = o.fan_id and s.subject_id = o.subject_id as ok
      from (select * from sales where kind in (select kind from ledger_kinds where is_once) and reversed_cents < gross_cents and ${isTouched('id')}) s
      full join (select * from owned_purchases where ${isTouched('sale_id')}) o on o.sale_id = s.id`),
  },
  {
    name: 'each uncleared amount is what remains of its sale',
    needs: ['sales'],
    sql: toCheckSql(`select m.transaction_id as key, m.amount_cents = s.net_cents - (s.reversed_cents - s.reversed_fee_cents) and m.due_at = s.clears_at as ok
      from (select transaction_id, account_id, due_at, amount_cents from ledger_pending_clearings
        union all select transaction_id, account_id, due_at, amount_cents from ledger_inflows where due_at is not null) m
      join sales s on s.id = m.transaction_id join ledger_accounts a on a.id = m.account_id and a.code like 'liab:creator:%'`),
  },
];

/**
 * The lateral join makes each lookup use the index on creator, kind and time. A plain join would read all sales of the
 * creator.
 */
const SALES_OF_DAYS = `days d join sales_fees f on f.pending_account_id = d.account_id cross join (${SALE_KINDS}) k cross join lateral (
          select * from sales where creator_id = f.creator_id and kind = k.kind
            and created_at >= d.day at time zone 'UTC' and created_at < (d.day + 1) at time zone 'UTC' offset 0) s`;

const createEarningCheck = ({ toCheckSql, isIncremental, isTouched }: CheckScope): LedgerCheck => ({
  name: 'daily earnings and fees by kind equal those computed from all sales',
  needs: ['sales'],
  sql: toCheckSql(`with days as materialized (
        select distinct f.pending_account_id as account_id, (s.created_at at time zone 'UTC')::date as day
        from sales s join sales_fees f on f.creator_id = s.creator_id where ${isIncremental ? isTouched('s.id') : 'false'}
      ), stored as (
        select account_id, day, tag, sum(amount_cents) as amount_cents, sum(items) as items, coalesce(sum(platform_cents), 0) as fees from (
          select account_id, day, tag, amount_cents, items, platform_cents from ledger_daily_totals
          union all select account_id, day, tag, amount_cents, items, platform_cents from ledger_inflows) u
        join ledger_accounts a on a.id = account_id and a.code like 'liab:creator:%:pending'
        where tag in (${SALE_KINDS}) and ${isIncremental ? '(account_id, day) in (select account_id, day from days)' : 'true'} group by 1, 2, 3
      ), full_sums as (
        select f.pending_account_id as account_id, (s.created_at at time zone 'UTC')::date as day, s.kind as tag,
          sum(s.net_cents - s.reversed_cents + s.reversed_fee_cents) as amount_cents, count(*) as items, sum(s.fee_cents - s.reversed_fee_cents) as fees
        from ${isIncremental ? SALES_OF_DAYS : 'sales s join sales_fees f on f.creator_id = s.creator_id'}
        group by 1, 2, 3)
      select coalesce(k.account_id, f.account_id) || ' ' || coalesce(k.day, f.day) || ' ' || coalesce(k.tag, f.tag) as key,
        k.amount_cents is not distinct from f.amount_cents and k.items is not distinct from f.items and k.fees is not distinct from f.fees as ok from stored k full join full_sums f using (account_id, day, tag)`),
});

const listDepositChecks = ({
  toCheckSql,
  transactions,
  entries,
  isTouched,
  isIncremental,
}: CheckScope): readonly LedgerCheck[] => [
  {
    name: 'reversals of each deposit are at most the deposit, include the proportional fee, and exclude chargebacks that were won',
    sql: toCheckSql(`with parts as (
        select t.id from ${transactions} t where t.kind = 'deposit'
        ${isIncremental ? `union select t.id from touched u join ledger_transactions t on t.id = u.id and t.kind = 'deposit'` : ''}
      ), back as (
        select r.reverses_id as id, sum(case e.side when 'C' then e.amount_cents else -e.amount_cents end) filter (where a.code like 'asset:processor:%') as card,
          sum(${signed}) filter (where a.code = 'rev:deposit_fee') as fee
        from parts p join (${REVERSALS_OF_DEPOSITS}) r on r.reverses_id = p.id
        join ledger_entries e on e.transaction_id = r.transaction_id join ledger_accounts a on a.id = e.account_id group by 1
      ), made as (
        select p.id, sum(e.amount_cents) filter (where a.code like 'asset:processor:%') as card, coalesce(sum(e.amount_cents) filter (where a.code = 'rev:deposit_fee'), 0) as fee
        from parts p join ledger_entries e on e.transaction_id = p.id join ledger_accounts a on a.id = e.account_id group by 1)
      select d.id as key, coalesce(b.card, 0) between 0 and d.card and coalesce(b.fee, 0) = round(d.fee * coalesce(b.card, 0) / d.card) as ok
      from made d left join back b on b.id = d.id`),
  },
  {
    name: 'what a wallet could not cover is a debt of its own fan',
    sql: toCheckSql(`select t.id as key, sum(e.amount_cents) = (select sum(o.amount_cents) from ledger_reversals r join ledger_entries o on o.transaction_id = r.transaction_id and o.kind = 'debt' and o.side = 'D'
          join ledger_accounts a on a.id = o.account_id and a.owner_id = (select w.owner_id from ledger_reversals d join ledger_entries f on f.transaction_id = d.reverses_id
            join ledger_accounts w on w.id = f.account_id and w.code like 'liab:fan:%:wallet' where d.transaction_id = t.id) where r.reverses_id = t.id) as ok
      from ${transactions} t join ${entries} e on e.transaction_id = t.id and e.side = 'D' join ledger_accounts a on a.id = e.account_id and a.code = 'exp:chargeback_loss'
      where t.kind in ('deposit_refund', 'deposit_chargeback', 'deposit_void', 'deposit_return') group by t.id`),
  },
  {
    name: 'each paid order at the processor equals its deposit in the ledger',
    needs: ['deposits'],
    sql: toCheckSql(`select d.id as key, d.amount_cents = coalesce(e.wallet, 0) and d.fee_cents = coalesce(e.fee, 0) and d.payable_cents = coalesce(e.card, 0)
        and d.reversed_payable_cents = coalesce(b.card, 0) as ok
      from deposits d left join lateral (
        select sum(e.amount_cents) filter (where a.code = 'liab:fan:' || d.fan_id || ':wallet') as wallet, sum(e.amount_cents) filter (where a.code = 'rev:deposit_fee') as fee,
          sum(e.amount_cents) filter (where a.code like 'asset:processor:%') as card
        from ledger_entries e join ledger_accounts a on a.id = e.account_id where e.transaction_id = d.transaction_id) e on true
      left join lateral (
        select sum(case e.side when 'C' then e.amount_cents else -e.amount_cents end) as card from (${REVERSALS_OF_DEPOSITS}) r join ledger_entries e on e.transaction_id = r.transaction_id
        join ledger_accounts a on a.id = e.account_id and a.code like 'asset:processor:%' where r.reverses_id = d.transaction_id) b on true
      where d.transaction_id is not null and ${isTouched('d.transaction_id')}`),
  },
];

/** The price of a call: connected seconds of both sides, free below the minimum, cents rounded down. */
const CALL_CHARGE = `case when m.ms / 1000 < ${CALL_LIMITS.freeSeconds} then 0 else (m.ms / 1000) * c.rate_cents / 60 end`;

const listCallChecks = ({ toCheckSql, isNew }: CheckScope): readonly LedgerCheck[] => [
  {
    name: 'each call is charged for its connected time, and at most its hold',
    needs: ['calls', 'sales'],
    sql: toCheckSql(`select c.id as key, c.connected_ms = m.ms and m.starts = m.stops and c.charged_cents = least(c.held_cents, ${CALL_CHARGE})
        and c.charged_cents = coalesce(s.gross_cents, 0) and (s.id is null or s.subject_id = c.id and s.fan_id = c.fan_id and s.creator_id = c.creator_id) as ok
      from calls c left join sales s on s.id = c.transaction_id cross join lateral (
        select count(*) filter (where event = 'clockStarts') as starts, count(*) filter (where event = 'clockStops') as stops,
          round(coalesce(sum(case event when 'clockStops' then 1 when 'clockStarts' then -1 end * extract(epoch from at) * 1000), 0))::bigint as ms
        from call_events where call_id = c.id) m
      where c.transaction_id is not null and ${isNew('c.transaction_id')}`),
  },
  {
    name: 'each running call has a hold, and each hold for a call has a running call',
    needs: ['calls'],
    sql: toCheckSql(`select h.id as key, exists (select from calls c where c.hold_id = h.id and c.ended_at is null) as ok
      from ledger_holds h where h.state = 'held' and h.purpose = 'call'
      union all select c.id, exists (select from ledger_holds h where h.id = c.hold_id and h.state = 'held' and h.amount_cents = c.held_cents)
      from calls c where c.ended_at is null`),
  },
];

const listPayoutChecks = ({ toCheckSql }: CheckScope): readonly LedgerCheck[] => [
  {
    name: 'amounts reserved for payouts equal the open requests of each user',
    needs: ['payouts'],
    sql: toCheckSql(`select coalesce(a.code, p.code) as key, coalesce(a.balance_cents, 0) = coalesce(p.amount_cents, 0) as ok
      from (select code, balance_cents from ledger_accounts where code like 'liab:%:payout_reserved') a
      full join (select 'liab:' || case source when 'earnings' then 'creator' else 'affiliate' end || ':' || user_id || ':payout_reserved' as code, sum(amount_cents) as amount_cents
        from payouts where status in ('requested', 'inreview', 'approved') and sent_transaction_id is null group by 1) p using (code)`),
  },
  {
    name: 'payouts in transit equal those sent and not settled, by method',
    needs: ['payouts'],
    sql: toCheckSql(`select kinds.kind as key, ledger_balance('liab:payout_clearing:' || kinds.kind) = coalesce((select sum(p.amount_cents - p.fee_cents)
        from payouts p join payout_methods m on m.id = p.method_id where m.kind = kinds.kind and p.sent_transaction_id is not null and p.status = 'approved'), 0) as ok
      from (values ('ach'), ('paypal'), ('crypto')) kinds (kind)`),
  },
];

const APPROVAL_OUTCOMES = `(values ('approval.confirm', 'confirmed'), ('approval.refuse', 'refused')) seq (action, outcome)`;

const listOperatorChecks = ({ toCheckSql, isIncremental }: CheckScope): readonly LedgerCheck[] => [
  {
    name: 'each entry of the audit log matches its hash and follows the one before',
    needs: ['audit_log'],
    sql: toCheckSql(`select l.position as key, l.hash = audit_hash(l) and l.previous_hash = case l.position when 1 then sha256('') else b.hash end as ok
      from audit_log l left join audit_log b on b.position = l.position - 1 ${isIncremental ? 'where l.xid >= $1::bigint' : ''}`),
  },
  {
    name: 'each approval ended as the audit log says: below the limit by its requester, otherwise confirmed by a different operator',
    needs: ['audit_log', 'approval_requests'],
    sql: toCheckSql(`select m.id as key, case when m.outcome = 'passed' then m.ended_by = m.operator_id and m.ended_at = m.at
        else m.ended_by = l.operator_id and m.operator_id::text = l.details ->> 'requesterId' and m.amount_cents::text = l.details ->> 'amountCents' and m.kind = l.details ->> 'kind'
          and (m.outcome = 'refused' or m.ended_by <> m.operator_id) and abs(extract(epoch from m.ended_at - l.at)) < 3600 end as ok
      from approval_requests m left join ${APPROVAL_OUTCOMES} using (outcome) left join audit_log l on l.subject_kind = 'approval' and l.subject_id = m.id::text and l.action = seq.action
      where m.outcome is not null and m.kind <> 'setting'
      union all select l.subject_id::uuid, m.outcome is not distinct from seq.outcome from audit_log l join ${APPROVAL_OUTCOMES} using (action) left join approval_requests m on m.id = l.subject_id::uuid
      where l.subject_kind = 'approval'`),
  },
];

/**
 * Returns all checks. The incremental mode checks immutable rows only when they are new or reversed by something new,
 * and sums from the verified value plus new rows. Per-account and open data is always checked completely.
 */
export function listChecks(isIncremental: boolean): readonly LedgerCheck[] {
  const scope = createScope(isIncremental);
  return [
    ...listJournalChecks(scope),
    ...listAccountChecks(scope),
    ...listSaleChecks(scope),
    createEarningCheck(scope),
    ...listDepositChecks(scope),
    ...listCallChecks(scope),
    ...listCommissionChecks(scope),
    ...listPayoutChecks(scope),
    createSettlementCheck(scope),
    ...listOperatorChecks(scope),
  ];
}
