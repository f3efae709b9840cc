/**
 * What must hold in the ledger, each as one query. The proof is of the whole, so the queries also read (never write) the
 * tables of the rooms that account for their money there; a table that does not exist is left out.
 */

export type Check = {
  name: string;
  /** Tables above the ledger that it reads. */
  needs?: readonly string[];
  /** One row: `count`, how many things were looked at, and `wrong`, examples of what is not so (at most five). */
  sql: string;
};

/** `source` gives the things looked at as (key, ok). */
const all = (source: string) =>
  `select count(*)::bigint as count, coalesce((array_agg(key::text) filter (where ok is not true))[1:5], '{}') as wrong from (${source}) as looked_at`;

const signed = `case e.side when 'D' then e.amount_cents else -e.amount_cents end`;
/** On the account's normal side. */
const normal = `case when (e.side = 'D') = (a.kind in ('asset', 'expense')) then e.amount_cents else -e.amount_cents end`;

export const CHECKS: readonly Check[] = [
  {
    name: 'each transaction has at least two entries, legs without repetition, and debits equal credits',
    sql: all(`select t.id as key, count(e.leg) >= 2 and min(e.leg) = 1 and sum(${signed}) = 0 as ok
      from ledger_transactions t left join ledger_entries e on e.transaction_id = t.id group by t.id`),
  },
  {
    name: 'each entry is positive, on a side, of a transaction and an account, and numbered exactly if its account is spendable',
    sql: all(`select e.transaction_id as key, e.amount_cents > 0 and e.side in ('D', 'C') and t.id is not null
        and (e.line is not null) = a.spendable and (e.balance_after is not null) = a.spendable as ok
      from ledger_entries e left join ledger_transactions t on t.id = e.transaction_id left join ledger_accounts a on a.id = e.account_id`),
  },
  {
    name: 'all debits equal all credits',
    sql: `select count(*)::bigint as count, case when coalesce(sum(${signed}), 0) = 0 then '{}' else array[sum(${signed})::text] end as wrong from ledger_entries e`,
  },
  {
    name: 'each balance equals the sum of its entries (with what is not rolled up yet)',
    sql: all(`select a.code as key, a.balance_cents + coalesce(i.cents, 0) = coalesce(s.cents, 0) and a.lines = case when a.spendable then coalesce(s.entries, 0) else 0 end as ok
      from ledger_accounts a
      left join (select account_id, sum(amount_cents) as cents from ledger_inflows group by 1) i on i.account_id = a.id
      left join (select e.account_id, sum(${normal}) as cents, count(*) as entries from ledger_entries e join ledger_accounts a on a.id = e.account_id group by 1) s on s.account_id = a.id`),
  },
  {
    name: 'no spendable account is below zero, and none receives unlocked',
    sql: all(`select a.code as key, a.balance_cents >= 0 and not exists (select from ledger_inflows i where i.account_id = a.id) as ok
      from ledger_accounts a where a.spendable`),
  },
  {
    name: 'each statement is gapless, and each balance after a line follows from the one before',
    sql: all(`select code || ' line ' || coalesce(line, 0) as key, line = before_line + 1 and balance_after = before_cents + cents as ok from (
        select a.code, e.line, e.balance_after, ${normal} as cents, lag(e.line, 1, 0::bigint) over w as before_line, lag(e.balance_after, 1, 0::bigint) over w as before_cents
        from ledger_entries e join ledger_accounts a on a.id = e.account_id where a.spendable window w as (partition by e.account_id order by e.line)) l`),
  },
  {
    name: 'daily sums equal what was rolled up',
    sql: all(`select a.code as key, a.balance_cents = coalesce(d.cents, 0) as ok from ledger_accounts a
      left join (select account_id, sum(amount_cents) as cents from ledger_days group by 1) d on d.account_id = a.id where not a.spendable`),
  },
  {
    name: 'each operation has its actor and request hash; each outside event and reversal its transaction',
    sql: all(`select t.id as key, (t.operation_id is null) = (t.request_hash is null) and (t.operation_id is null or t.actor_id is not null) as ok from ledger_transactions t
      union all select x.transaction_id, exists (select from ledger_transactions t where t.id = x.transaction_id) from ledger_externals x
      union all select r.transaction_id, exists (select from ledger_transactions t where t.id = r.reverses_id) from ledger_reversals r`),
  },
  {
    name: 'what is held for a fan equals their open holds, and no more is captured than was held',
    sql: all(`select fan.id as key, coalesce((select a.balance_cents from ledger_accounts a where a.code = 'liab:fan:' || fan.id || ':call_hold'), 0)
        = (select coalesce(sum(h.amount_cents), 0) from ledger_holds h where h.fan_id = fan.id and h.state = 'held')
        and not exists (select from ledger_holds h where h.fan_id = fan.id and h.captured_cents > h.amount_cents) as ok
      from (select owner_id as id from ledger_accounts where code like 'liab:fan:%:call_hold' union select fan_id from ledger_holds) fan`),
  },
  {
    name: 'pending equals what waits to clear',
    sql: all(`select a.code as key, ledger_balance(a.code) = coalesce((select sum(m.amount_cents) from ledger_maturities m where m.account_id = a.id), 0) as ok
      from ledger_accounts a where a.code like 'liab:%:pending'`),
  },
  {
    name: 'a deposit is taken back at most wholly, its fee in proportion',
    sql: all(`with sums as (
        select coalesce(r.reverses_id, t.id) as id, t.kind = 'deposit' as original,
          sum(e.amount_cents) filter (where a.code like 'asset:processor:%') as card, coalesce(sum(e.amount_cents) filter (where a.code = 'rev:deposit_fee'), 0) as fee
        from ledger_transactions t left join ledger_reversals r on r.transaction_id = t.id
        join ledger_entries e on e.transaction_id = t.id join ledger_accounts a on a.id = e.account_id
        where t.kind = 'deposit' or t.kind like 'deposit\\_%' group by 1, 2, t.id)
      select d.id as key, coalesce(sum(b.card), 0) <= d.card and coalesce(sum(b.fee), 0) = round(d.fee * coalesce(sum(b.card), 0) / d.card) as ok
      from sums d left join sums b on b.id = d.id and not b.original where d.original group by d.id, d.card, d.fee`),
  },
  {
    name: 'every entry on a processor’s clearing account is a deposit, what was taken back of one, or a settlement',
    sql: all(`select e.transaction_id as key, t.kind in ('deposit', 'settlement') or t.kind like 'deposit\\_%' as ok
      from ledger_entries e join ledger_accounts a on a.id = e.account_id join ledger_transactions t on t.id = e.transaction_id
      where a.code like 'asset:processor:%:clearing'`),
  },
  {
    name: 'each sale’s split sums, is the fee that was in force, and equals its entries',
    needs: ['sales'],
    sql: all(`select s.id as key, s.gross_cents > 0 and s.fee_cents between 0 and s.gross_cents and s.net_cents = s.gross_cents - s.fee_cents
        and s.fee_cents = (s.gross_cents * s.fee_basis_points + 5000) / 10000 and s.kind in ('tip', 'post', 'chat', 'call')
        and (s.tip_type is null or s.tip_type in ('chat', 'post', 'profile', 'call')) and length(s.note) <= 200
        and coalesce(e.fan, 0) = s.gross_cents and coalesce(e.creator, 0) = -s.net_cents and coalesce(e.fee, 0) = -s.fee_cents as ok
      from sales s left join lateral (
        select sum(${signed}) filter (where a.code like 'liab:fan:' || s.fan_id || ':%') as fan, sum(${signed}) filter (where a.code = 'liab:creator:' || s.creator_id || ':pending') as creator,
          sum(${signed}) filter (where a.code = 'rev:platform_fee:' || s.kind) as fee
        from ledger_entries e join ledger_accounts a on a.id = e.account_id where e.transaction_id = s.id) e on true`),
  },
  {
    name: 'each charge in the ledger has its sale',
    needs: ['sales'],
    sql: all(
      `select t.id as key, s.id is not null as ok from ledger_transactions t left join sales s on s.id = t.id where t.kind in ('tip', 'post', 'chat', 'call')`,
    ),
  },
  {
    name: 'what was given back of each sale equals its refunds, at most wholly, the fee in proportion',
    needs: ['sales'],
    sql: all(`select s.id as key, s.reversed_cents between 0 and s.gross_cents and s.reversed_fee_cents = round(s.fee_cents::numeric * s.reversed_cents / s.gross_cents)
        and s.reversed_cents = coalesce(e.wallet, 0) and s.reversed_fee_cents = coalesce(e.fee, 0) as ok
      from sales s left join lateral (
        select sum(e.amount_cents) filter (where a.code like '%:wallet') as wallet, sum(e.amount_cents) filter (where a.code like 'rev:%') as fee
        from ledger_reversals r join ledger_transactions t on t.id = r.transaction_id and t.kind = 'sale_refund'
        join ledger_entries e on e.transaction_id = t.id join ledger_accounts a on a.id = e.account_id where r.reverses_id = s.id) e on true`),
  },
  {
    name: 'what waits to clear is what is left of its sale',
    needs: ['sales'],
    sql: all(`select m.transaction_id as key, m.amount_cents = s.net_cents - (s.reversed_cents - s.reversed_fee_cents) and m.due_at = s.clears_at as ok
      from ledger_maturities m join sales s on s.id = m.transaction_id join ledger_accounts a on a.id = m.account_id and a.code like 'liab:creator:%'`),
  },
  {
    name: 'daily earnings by kind equal a full recomputation from the sales',
    needs: ['sales'],
    sql: all(`with kept as (
        select account_id, day, tag, sum(amount_cents) as cents, sum(items) as items from (
          select account_id, day, tag, amount_cents, items from ledger_days union all select account_id, day, tag, amount_cents, items from ledger_inflows) u
        join ledger_accounts a on a.id = account_id and a.code like 'liab:creator:%:pending' where tag in ('tip', 'post', 'chat', 'call') group by 1, 2, 3
      ), full_sums as (
        select f.pending_account_id as account_id, (s.created_at at time zone 'UTC')::date as day, s.kind as tag,
          sum(s.net_cents - s.reversed_cents + s.reversed_fee_cents) as cents, count(*) as items
        from sales s join sales_fees f on f.creator_id = s.creator_id group by 1, 2, 3)
      select coalesce(k.account_id, f.account_id) || ' ' || coalesce(k.day, f.day) || ' ' || coalesce(k.tag, f.tag) as key,
        k.cents is not distinct from f.cents and k.items is not distinct from f.items as ok from kept k full join full_sums f using (account_id, day, tag)`),
  },
  {
    name: 'each paid order at the processor equals its deposit in the ledger',
    needs: ['deposits'],
    sql: all(`select d.id as key, d.amount_cents = coalesce(e.wallet, 0) and d.fee_cents = coalesce(e.fee, 0) and d.payable_cents = coalesce(e.card, 0)
        and d.reversed_payable_cents = coalesce(b.card, 0) as ok
      from deposits d left join lateral (
        select sum(e.amount_cents) filter (where a.code = 'liab:fan:' || d.fan_id || ':wallet') as wallet, sum(e.amount_cents) filter (where a.code = 'rev:deposit_fee') as fee,
          sum(e.amount_cents) filter (where a.code like 'asset:processor:%') as card
        from ledger_entries e join ledger_accounts a on a.id = e.account_id where e.transaction_id = d.transaction_id) e on true
      left join lateral (
        select sum(e.amount_cents) as card from ledger_reversals r join ledger_entries e on e.transaction_id = r.transaction_id
        join ledger_accounts a on a.id = e.account_id and a.code like 'asset:processor:%' where r.reverses_id = d.transaction_id) b on true
      where d.transaction_id is not null`),
  },
];
