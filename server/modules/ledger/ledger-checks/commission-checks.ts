/**
 * Invariants of commission: it follows from the sales, is paid out of the platform fee and is reversed with them
 * (docs/money.md, 6). Claimed amounts equal what was moved.
 */
import type { CheckScope, LedgerCheck } from './check-definition.ts';

/**
 * Tolerance between the clocks of the app and the database. The first minute of a period is not checked for missing
 * commission.
 */
const SLACK = "interval '1 minute'";
const toDueSql = (sale: string, terms: string) =>
  `least(${sale}.gross_cents * ${terms}.basis_points / 10000, ${sale}.fee_cents / 2)`;

export const listCommissionChecks = ({
  toCheckSql,
  transactions,
  entries,
  isNew,
  isTouched,
}: CheckScope): readonly LedgerCheck[] => [
  {
    name: 'each commission is the agreed share of a referred user’s sale within their commission period, and equals its entries',
    needs: ['sales_commissions'],
    sql: toCheckSql(`select c.id as key, c.cents > 0 and c.cents = ${toDueSql('s', 'c')} and c.referred_id in (s.fan_id, s.creator_id) and c.fan_id = s.fan_id
        and c.created_at = s.created_at and c.clears_at = s.clears_at and a.affiliate_id = c.affiliate_id and a.basis_points = c.basis_points
        and s.created_at >= a.from_at and s.created_at < a.until_at
        and e.legs = 2 and e.expense = c.cents and e.pending = -c.cents as ok
      from sales_commissions c left join sales s on s.id = c.sale_id left join sales_affiliates a on a.user_id = c.referred_id
      left join lateral (
        select count(*) as legs, sum(case e.side when 'D' then e.amount_cents else -e.amount_cents end) filter (where x.code = 'exp:affiliate') as expense,
          sum(case e.side when 'D' then e.amount_cents else -e.amount_cents end) filter (where x.code = 'liab:affiliate:' || c.affiliate_id || ':pending') as pending
        from ledger_entries e join ledger_accounts x on x.id = e.account_id where e.transaction_id = c.id and e.kind = 'commission') e on true
      where ${isTouched('c.id')}`),
  },
  {
    name: 'each commission in the ledger has a sale, and each sale of a referred user has a commission',
    needs: ['sales_commissions'],
    sql: toCheckSql(`select t.id as key, exists (select from sales_commissions c where c.id = t.id) as ok from ${transactions} t where t.kind = 'commission'
      union all select s.id, exists (select from sales_commissions c where c.sale_id = s.id and c.referred_id = a.user_id) from sales s join sales_affiliates a on a.user_id = s.fan_id
        where s.created_at >= a.from_at + ${SLACK} and s.created_at < a.until_at and ${toDueSql('s', 'a')} > 0 and ${isTouched('s.id')}
      union all select s.id, exists (select from sales_commissions c where c.sale_id = s.id and c.referred_id = a.user_id) from sales s join sales_affiliates a on a.user_id = s.creator_id
        where s.created_at >= a.from_at + ${SLACK} and s.created_at < a.until_at and ${toDueSql('s', 'a')} > 0 and ${isTouched('s.id')}`),
  },
  {
    name: 'the reversed part of each commission is proportional to the refunded or unpaid part of its sale, and equals its entries',
    needs: ['sales_commissions'],
    sql: toCheckSql(`select c.id as key, c.unpaid_cents between 0 and s.gross_cents
        and c.reversed_cents = round(c.cents::numeric * least(s.gross_cents, s.reversed_cents + c.unpaid_cents) / s.gross_cents)
        and c.reversed_cents = coalesce(e.back, 0) as ok
      from sales_commissions c left join sales s on s.id = c.sale_id left join lateral (
        select sum(e.amount_cents) as back from ledger_reversals r
        join ledger_entries e on e.transaction_id = r.transaction_id and e.kind = 'commission_return' and e.side = 'D'
        join ledger_accounts x on x.id = e.account_id and x.code = 'liab:affiliate:' || c.affiliate_id || ':pending' where r.reverses_id = c.id) e on true
      where ${isTouched('c.id')}`),
  },
  {
    name: 'the pending part of each commission is what remains of it until its sale clears',
    needs: ['sales_commissions'],
    sql: toCheckSql(`select m.transaction_id as key, m.amount_cents = c.cents - c.reversed_cents and m.due_at = c.clears_at as ok
      from (select transaction_id, account_id, due_at, amount_cents from ledger_pending_clearings
        union all select transaction_id, account_id, due_at, amount_cents from ledger_inflows where due_at is not null) m
      join ledger_accounts a on a.id = m.account_id and a.code like 'liab:affiliate:%' join sales_commissions c on c.id = m.transaction_id`),
  },
  {
    name: 'the paid commission of each affiliate equals what its transactions and payouts moved, less what was withheld',
    needs: ['affiliate_claims', 'payouts'],
    sql: toCheckSql(`select c.id as key, c.amount_cents = e.cents and case when p.id is null then c.fee_cents = e.fee_cents and c.created_at = e.at
          else p.source = 'referrals' and p.user_id = c.affiliate_id and p.amount_cents = c.amount_cents and p.fee_cents = c.fee_cents end as ok
      from affiliate_claims c left join payouts p on p.id = c.id cross join lateral (
        select sum(e.amount_cents) filter (where e.side = 'D' and a.code = 'liab:affiliate:' || c.affiliate_id || ':available') as cents,
          coalesce(sum(e.amount_cents) filter (where a.code = 'rev:payout_fee'), 0) as fee_cents, min(e.occurred_at) as at
        from ledger_entries e join ledger_accounts a on a.id = e.account_id where e.transaction_id = coalesce(p.transaction_id, c.id)
          and e.kind = case when p.id is null then 'commission_deposit' else 'payout_requested' end) e
      where ${isNew('coalesce(p.transaction_id, c.id)')}
      union all select t.id, exists (select from affiliate_claims c where c.id = t.id) from ${transactions} t where t.kind = 'commission_deposit'
      union all select e.transaction_id, exists (select from payouts p join affiliate_claims c on c.id = p.id where p.transaction_id = e.transaction_id)
        from ${entries} e join ledger_accounts a on a.id = e.account_id and a.code like 'liab:affiliate:%:available' where e.kind = 'payout_requested'`),
  },
  {
    name: 'referred users earn commission for whole months from their approval, unless the affiliate left',
    needs: ['referrals', 'sales_affiliates'],
    sql: toCheckSql(`select r.referred_id as key, r.ends_at = (r.approved_at at time zone 'UTC' + make_interval(months => m.months)) at time zone 'UTC'
        and (a.user_id is null or a.affiliate_id = r.affiliate_id and a.from_at = r.approved_at
          and a.until_at = least(r.ends_at, case when a.ended_at is not null then greatest(a.ended_at, a.from_at) + interval '1 minute' end)) as ok
      from referrals r left join sales_affiliates a on a.user_id = r.referred_id
      cross join lateral (select (extract(year from age) * 12 + extract(month from age))::int as months from (
        select age(date_trunc('month', r.ends_at at time zone 'UTC'), date_trunc('month', r.approved_at at time zone 'UTC')) as age) a) m
      where r.status = 'approved'`),
  },
];
