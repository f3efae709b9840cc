/**
 * Transaction search for operators, by identifier or by kind, amount and time. The cost of a page does not depend on
 * the size of the ledger: kind and time have indexes, and an amount is searched in bounded ranges.
 */
import type { Executor, SqlStatement } from '../../../platform/database/db.ts';
import { LAST_ID } from '../../../platform/database/pagination.ts';
import { createLeastId } from '../../../platform/ids.ts';

export type TransactionMatch = {
  id: string;
  at: Date;
  kind: string;
  title: string | null;
  cents: number;
  debits: string[];
  credits: string[];
};

export type TransactionCursor = { at: Date; id: string };
export const NEWEST_TRANSACTION: TransactionCursor = { at: new Date('9999-01-01T00:00:00Z'), id: LAST_ID };

export type TransactionFilter = {
  kind?: string | undefined;
  cents?: number | undefined;
  /** `from` is inclusive, `until` exclusive. */
  from: Date;
  until: Date;
};

/** The maximum number of transactions scanned for one page. */
export const MAX_SCANNED = 50_000;

const toCodesSql = (side: '>' | '<') =>
  `array(select a.code from unnest(t.account_ids, t.amounts::bigint[]) with ordinality as l (id, amount, n) join ledger_accounts a on a.id = l.id
  where l.amount ${side} 0 order by l.n)`;
const SELECT_FOUND = `select t.id, t.occurred_at as at, t.kind, (select k.title from ledger_kinds k where k.kind = t.kind) as title,
  (select sum(a) from unnest(t.amounts::bigint[]) a where a > 0)::bigint as cents, ${toCodesSql('>')} as debits, ${toCodesSql('<')} as credits`;

/**
 * `$1` and `$2` are the cursor, `$3` and `$4` the time range, `$5` the kind. The query by time follows the index on ids
 * with a single bound, because a generic plan for two bounds would collect and sort all rows.
 */
const ALL = `select * from ledger_transactions where id < $2 and $1::timestamptz is not null and $5::text is null order by id desc`;
const OF_KIND = `select * from ledger_transactions where kind = $5 and (occurred_at, id) < ($1, $2) order by occurred_at desc, id desc`;
const toPageStatement = (scan: string, name: string): SqlStatement => ({
  name: `ledger-search-${name}`,
  text: `${SELECT_FOUND} from (${scan} limit ${MAX_SCANNED}) t where t.occurred_at >= $3 and t.occurred_at < $4
    and ($6::bigint is null or $6 = any (t.amounts::bigint[]) or -$6 = any (t.amounts::bigint[])) limit $7`,
});
const toEndStatement = (scan: string, name: string): SqlStatement => ({
  name: `ledger-search-end-${name}`,
  text: `select id, occurred_at as at from (${scan} offset ${MAX_SCANNED - 1} limit 1) t where t.occurred_at >= $3 and $4::timestamptz is not null`,
});
const BY_TIME = { page: toPageStatement(ALL, 'all'), end: toEndStatement(ALL, 'all') };
const BY_KIND = { page: toPageStatement(OF_KIND, 'kind'), end: toEndStatement(OF_KIND, 'kind') };

/**
 * Returns transactions newest first and the next cursor. `searchedBackTo` is set when the scan limit was reached before
 * the page was full.
 */
export async function searchTransactions(
  db: Executor,
  { kind, cents, from, until }: TransactionFilter,
  { after, limit }: { after: TransactionCursor; limit: number },
): Promise<{ rows: TransactionMatch[]; next?: TransactionCursor; searchedBackTo?: Date }> {
  const statements = kind === undefined ? BY_TIME : BY_KIND;
  const first = { at: until, id: createLeastId(until) };
  const cursor = after.id < first.id ? after : first;
  const values = [cursor.at, cursor.id, from, until, kind ?? null];
  const rows = await db.run<TransactionMatch>(statements.page, [...values, cents ?? null, limit]);
  const last = rows.at(-1);
  if (last && rows.length === limit) return { rows, next: { at: last.at, id: last.id } };
  const [further] = await db.run<TransactionCursor>(statements.end, values);
  return further ? { rows, next: further, searchedBackTo: further.at } : { rows };
}

const FIND_BY_ID: SqlStatement = {
  name: 'ledger-named',
  text: `select id from ledger_transactions where id = $1::uuid union select id from ledger_transactions where operation_id = $1::uuid order by id desc limit 50`,
};
const FIND_BY_EXTERNAL_REF: SqlStatement = {
  name: 'ledger-find-by-ref',
  text: `with recursive providers as (select min(provider) as provider from ledger_external_refs
      union all select (select min(x.provider) from ledger_external_refs x where x.provider > p.provider) from providers p where p.provider is not null)
    select x.transaction_id as id from providers p join ledger_external_refs x on x.provider = p.provider and x.ref = $1
    union select x.transaction_id from providers p join ledger_external_refs x on x.provider = p.provider and x.event_key = $1 limit 50`,
};

export async function findTransactionIds(db: Executor, id: string): Promise<string[]> {
  return (await db.run<{ id: string }>(FIND_BY_ID, [id])).map((row) => row.id);
}

export async function findTransactionIdsByRef(db: Executor, ref: string): Promise<string[]> {
  return (await db.run<{ id: string }>(FIND_BY_EXTERNAL_REF, [ref])).map((row) => row.id);
}

const LIST_BY_IDS: SqlStatement = {
  name: 'ledger-these',
  text: `${SELECT_FOUND} from ledger_transactions t where t.id = any ($1::uuid[]) or t.id in (select transaction_id from ledger_reversals where reverses_id = any ($1::uuid[]))
    order by t.occurred_at desc, t.id desc limit 50`,
};

export function listTransactionsByIds(db: Executor, ids: readonly string[]): Promise<TransactionMatch[]> {
  return ids.length === 0 ? Promise.resolve([]) : db.run<TransactionMatch>(LIST_BY_IDS, [ids]);
}

export type LinkedTransaction = { id: string; title: string; at: Date };
export type TransactionDetails = {
  id: string;
  at: Date;
  kind: string;
  title: string | null;
  actorId: string | null;
  operationId: string | null;
  metadata: Record<string, unknown> | null;
  provider: string | null;
  ref: string | null;
  eventKey: string | null;
  cleared: number;
  reverses: LinkedTransaction | null;
  reversedBy: LinkedTransaction[];
};

const toLinkSql = (t: string) =>
  `json_build_object('id', ${t}.id, 'title', coalesce((select title from ledger_kinds where kind = ${t}.kind), ${t}.kind), 'at', ${t}.occurred_at)`;
const FIND_ONE: SqlStatement = {
  name: 'ledger-one',
  text: `select t.id, t.occurred_at as at, t.kind, (select k.title from ledger_kinds k where k.kind = t.kind) as title, t.actor_id as "actorId",
      t.operation_id as "operationId", t.metadata, x.provider, x.ref, x.event_key as "eventKey",
      (select count(*)::int from ledger_clearings c where c.clearing_id = t.id) as cleared,
      (select ${toLinkSql('o')} from ledger_reversals r join ledger_transactions o on o.id = r.reverses_id where r.transaction_id = t.id) as reverses,
      coalesce((select json_agg(${toLinkSql('b')} order by b.occurred_at, b.id) from ledger_reversals r join ledger_transactions b on b.id = r.transaction_id
        where r.reverses_id = t.id), '[]') as "reversedBy"
    from ledger_transactions t left join ledger_external_refs x on x.transaction_id = t.id where t.id = $1`,
};

type LinkedTransactionRow = Omit<LinkedTransaction, 'at'> & { at: string };
const toLinkedTransaction = ({ at, ...rest }: LinkedTransactionRow): LinkedTransaction => ({
  ...rest,
  at: new Date(at),
});

export async function findTransaction(db: Executor, id: string): Promise<TransactionDetails | undefined> {
  type Row = Omit<TransactionDetails, 'reverses' | 'reversedBy'> & {
    reverses: LinkedTransactionRow | null;
    reversedBy: LinkedTransactionRow[];
  };
  const [row] = await db.run<Row>(FIND_ONE, [id]);
  if (!row) return undefined;
  return {
    ...row,
    reverses: row.reverses && toLinkedTransaction(row.reverses),
    reversedBy: row.reversedBy.map(toLinkedTransaction),
  };
}
