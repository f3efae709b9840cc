import type { Executor, SqlStatement } from '../../../platform/database/db.ts';

export type PendingMovement = { id: string; at: Date; kind: string; title: string; cents: number };

/**
 * `$1` is the owner, `$2` the pending account, `$3` and `$4` the cursor, `$5` and `$6` the time range, `$7` the kind,
 * `$8` the limit.
 */
const toBetweenSql = (at: string, id: string) => `(${at}, ${id}) < ($3, $4::uuid) and ${at} >= $5 and ${at} < $6`;
/** Clearing and its reversal are found through the lines of the account on the other side. */
const toClearedSql = (side: string) => `select t.id, t.occurred_at as at, t.kind from ledger_accounts a
    cross join lateral (select transaction_id from ledger_lines where account_id = a.id and line <= ledger_line_before(a.id, $3::timestamptz + interval '1 ms')
      and line > ledger_line_before(a.id, $5) and kind = any (array(select kind from ledger_kinds where 'liab:${side}:%:pending' = any (debits || credits)))
      order by line desc limit $8) l join ledger_transactions t on t.id = l.transaction_id
    where a.code = any (array['liab:${side}:' || $1 || ':available', 'asset:${side}:' || $1 || ':receivable']) and t.account_ids @> array[$2::bigint] and ${toBetweenSql('t.occurred_at', 't.id')}`;
const OF_CREATOR = `(select s.id, s.created_at as at, s.kind from ledger_kinds k, lateral (select * from sales where creator_id = $1::uuid and kind = k.kind
      and ${toBetweenSql('created_at', 'id')} order by created_at desc, id desc limit $8) s where k.fee_account is not null)
  union all (select t.id, t.occurred_at, t.kind from sales s join ledger_reversals r on r.reverses_id = s.id join ledger_transactions t on t.id = r.transaction_id and t.kind = 'sale_refund'
    where s.creator_id = $1::uuid and s.reversed_cents > 0 and s.refunded_at >= $5 and s.created_at < $6 and ${toBetweenSql('t.occurred_at', 't.id')} order by t.occurred_at desc, t.id desc limit $8)
  union (${toClearedSql('creator')})`;
const OF_AFFILIATE = `(select c.id, c.created_at as at, 'commission' as kind from sales_commissions c
    where c.affiliate_id = $1::uuid and ${toBetweenSql('c.created_at', 'c.id')} order by c.created_at desc, c.id desc limit $8)
  union all (select t.id, t.occurred_at, t.kind from sales_commissions c join ledger_reversals r on r.reverses_id = c.id join ledger_transactions t on t.id = r.transaction_id
      and t.account_ids @> array[$2::bigint]
    where c.affiliate_id = $1::uuid and c.reversed_cents > 0 and ${toBetweenSql('t.occurred_at', 't.id')} order by t.occurred_at desc, t.id desc limit $8)
  union (${toClearedSql('affiliate')})`;
const createPageStatement = (name: string, source: string): SqlStatement => ({
  name,
  text: `select m.id, m.at, m.kind, coalesce(k.title, m.kind) as title, -(select sum(l.amount) from ledger_transactions t, unnest(t.account_ids, t.amounts::bigint[]) as l (id, amount)
      where t.id = m.id and l.id = $2)::bigint as cents
    from (${source}) m left join ledger_kinds k on k.kind = m.kind where $7::text is null or m.kind = $7 order by m.at desc, m.id desc limit $8`,
});
const PAGES = {
  creator: createPageStatement('pending-creator', OF_CREATOR),
  affiliate: createPageStatement('pending-affiliate', OF_AFFILIATE),
};

export function listPendingMovements(
  db: Executor,
  { side, ownerId, accountId }: { side: 'creator' | 'affiliate'; ownerId: string; accountId: number },
  page: { after: { at: Date; id: string }; from: Date; until: Date; kind?: string | undefined; limit: number },
): Promise<PendingMovement[]> {
  const { after, from, until, kind, limit } = page;
  return db.run<PendingMovement>(PAGES[side], [
    ownerId,
    accountId,
    after.at,
    after.id,
    from,
    until,
    kind ?? null,
    limit,
  ]);
}
