/**
 * The history of an account: every transaction, oldest first, with the balance after it. A spendable account has stored
 * lines. Other accounts receive money without a lock and are read from the journal. Requires a snapshot. Opening and
 * closing balance come from stored sums, so the transactions verify them.
 */
import type { Executor, SqlStatement } from '../../../platform/database/db.ts';
import { readInBatches } from '../../../platform/database/db-cursor.ts';

export type Movement = {
  transactionId: string;
  at: Date;
  kind: string;
  cents: number;
};
/** Midnights in UTC, `from` inclusive and `to` exclusive. */
export type DateSpan = { from: Date; to: Date };
export type AccountHistory = {
  openingCents: number;
  closingCents: number;
  movements: AsyncIterable<Movement[]>;
};

const PAGE_SIZE = 1_000;
const FIRST = '00000000-0000-0000-0000-000000000000';

type HistoryAccount = { id: number; isSpendable: boolean; isDebit: boolean };
const FIND: SqlStatement = {
  name: 'history-account',
  text: `select id, spendable as "isSpendable", kind in ('asset', 'expense') as "isDebit" from ledger_accounts where code = $1`,
};

const PLATFORM: SqlStatement = {
  name: 'history-platform',
  text: 'select code from ledger_accounts where owner_id is null order by code',
};

export async function listPlatformAccounts(db: Executor): Promise<string[]> {
  return (await db.run<{ code: string }>(PLATFORM, [])).map(({ code }) => code);
}

const LINES_BEFORE: SqlStatement = {
  name: 'history-lines-before',
  text: 'select ledger_balance_before($1, $2) as cents',
};
const LINES: SqlStatement = {
  name: 'history-lines',
  text: `select l.transaction_id as "transactionId", t.occurred_at as at, l.kind, l.amount_cents as cents
    from ledger_lines_between($1, $2, $3) l join ledger_transactions t on t.id = l.transaction_id order by l.line`,
};

/** Sums the legs of a transaction on account `$1`. `$2` is true if debits are positive. */
export const toMovedSql = (table: string) => `(select sum(case when $2 then leg.amount else -leg.amount end)
  from unnest(${table}.account_ids, ${table}.amounts::bigint[]) as leg (account_id, amount) where leg.account_id = $1)::bigint`;
export const ACCOUNT_KINDS = `(select k.kind from ledger_kinds k, ledger_accounts a where a.id = $1 and a.code like any (k.debits || k.credits)) k`;

/**
 * Sums incoming money before a time, rolled up or not. The stored sums deduct a refund on the day of its sale
 * (post.ts), so refunds that were posted later are added back.
 */
export const SUM_BEFORE: SqlStatement = {
  name: 'history-before',
  text: `select (coalesce((select sum(amount_cents) from ledger_received($1, '-infinity', ($3::timestamptz at time zone 'UTC')::date)), 0)
      - coalesce((select sum(${toMovedSql('t')}) from ledger_transactions t join ledger_reversals r on r.transaction_id = t.id
          join ledger_transactions o on o.id = r.reverses_id
          where t.kind = 'sale_refund' and t.occurred_at >= $3 and t.account_ids @> array[$1::bigint] and o.occurred_at < $3), 0))::bigint as cents`,
};
const MOVEMENTS: SqlStatement = {
  name: 'history-movements',
  text: `select t.id as "transactionId", t.occurred_at as at, t.kind, ${toMovedSql('t')} as cents from ${ACCOUNT_KINDS}, lateral (
      select * from ledger_transactions where kind = k.kind and account_ids @> array[$1::bigint] and occurred_at < $5
        and (occurred_at, id) > ($3, $4::uuid) order by occurred_at, id limit ${PAGE_SIZE}) t
    order by t.occurred_at, t.id limit ${PAGE_SIZE}`,
};

async function* readMovements(
  db: Executor,
  { id, isDebit }: HistoryAccount,
  { from, to }: DateSpan,
): AsyncGenerator<Movement[]> {
  let cursor: [Date, string] = [from, FIRST];
  for (;;) {
    const rows = await db.run<Movement>(MOVEMENTS, [id, isDebit, ...cursor, to]);
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    cursor = [last.at, last.transactionId];
  }
}

export async function findAccountHistory(
  db: Executor,
  code: string,
  span: DateSpan,
): Promise<AccountHistory | undefined> {
  const [account] = await db.run<HistoryAccount>(FIND, [code]);
  if (!account) return undefined;
  const { id, isSpendable, isDebit } = account;
  const getBalanceBefore = async (at: Date): Promise<number> => {
    const [sum] = await (isSpendable
      ? db.run<{ cents: number }>(LINES_BEFORE, [id, at])
      : db.run<{ cents: number }>(SUM_BEFORE, [id, isDebit, at]));
    return sum?.cents ?? 0;
  };
  return {
    openingCents: await getBalanceBefore(span.from),
    closingCents: await getBalanceBefore(span.to),
    movements: isSpendable
      ? readInBatches<Movement>(db, LINES, [id, span.from, span.to])
      : readMovements(db, account, span),
  };
}
