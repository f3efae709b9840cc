/**
 * Account statements with pagination, newest first, with the balance after each entry. The cost of a page does not
 * depend on its position: spendable accounts have stored lines, platform accounts are read from the journal by kind.
 */
import type { Executor, SqlStatement } from '../../../platform/database/db.ts';
import { ACCOUNT_KINDS, SUM_BEFORE, toMovedSql } from './history.ts';
import { getBalance } from './post.ts';
import { MAX_SCANNED, type TransactionCursor } from './transaction-search.ts';

export type AccountRow = {
  id: number;
  code: string;
  ownerId: string | null;
  isSpendable: boolean;
  isDebit: boolean;
};

const COLUMNS = `select id, code, owner_id as "ownerId", spendable as "isSpendable", kind in ('asset', 'expense') as "isDebit" from ledger_accounts`;
const ACCOUNT: SqlStatement = { name: 'ledger-account-of', text: `${COLUMNS} where code = $1` };
const OF_OWNER: SqlStatement = {
  name: 'ledger-accounts-of-owner',
  text: `${COLUMNS} where code = any ($1::text[]) order by code`,
};
const OF_PLATFORM: SqlStatement = {
  name: 'ledger-accounts-of-platform',
  text: `${COLUMNS} where owner_id is null order by code`,
};

export async function findAccount(db: Executor, code: string): Promise<AccountRow | undefined> {
  return (await db.run<AccountRow>(ACCOUNT, [code]))[0];
}

const OWNER_ACCOUNTS = ['wallet', 'call_hold', 'receivable', 'pending', 'available', 'payout_reserved'];
const toOwnerCodes = (ownerId: string) =>
  ['liab', 'asset'].flatMap((side) =>
    ['fan', 'creator', 'affiliate'].flatMap((role) =>
      OWNER_ACCOUNTS.map((suffix) => `${side}:${role}:${ownerId}:${suffix}`),
    ),
  );

export function listAccounts(db: Executor, ownerId: string | null): Promise<AccountRow[]> {
  return ownerId === null ? db.run(OF_PLATFORM, []) : db.run(OF_OWNER, [toOwnerCodes(ownerId)]);
}

export type AccountLine = {
  id: string;
  at: Date;
  kind: string;
  title: string | null;
  cents: number;
  /** The balance after the entry. Null when entries in between were filtered out. */
  balanceCents: number | null;
};

export type LineFilter = { kind?: string | undefined; cents?: number | undefined; from: Date; until: Date };

const TITLE = '(select k.title from ledger_kinds k where k.kind = l.kind) as title';
/**
 * The line before a time, shifted by the longest delay with which a line of the account was written
 * (`ledger_lines_between()`).
 */
const toNearLineSql = (at: string, late: '-' | '+') =>
  `(select ledger_line_before(id, ${at} ${late} max_late_ms * interval '1 ms') from ledger_accounts where id = $1)`;
const LINES = `select * from ledger_lines where account_id = $1 and line <= least($2::bigint - 1, ${toNearLineSql('$4::timestamptz', '+')}) and line > ${toNearLineSql('$3::timestamptz', '-')}
  order by line desc`;
const PAGE: SqlStatement = {
  name: 'ledger-lines-page',
  text: `select l.line, l.transaction_id as id, t.occurred_at as at, l.kind, ${TITLE}, l.amount_cents as cents, l.balance_cents as "balanceCents"
    from (${LINES} limit ${MAX_SCANNED}) l join ledger_transactions t on t.id = l.transaction_id where t.occurred_at >= $3 and t.occurred_at < $4
      and ($5::text is null or l.kind = $5) and ($6::bigint is null or abs(l.amount_cents) = $6) order by l.line desc limit $7`,
};
const PAGE_END: SqlStatement = {
  name: 'ledger-lines-page-end',
  text: `select l.line, t.occurred_at as at from (${LINES} offset ${MAX_SCANNED - 1} limit 1) l join ledger_transactions t on t.id = l.transaction_id`,
};

export async function listAccountLines(
  db: Executor,
  { id }: AccountRow,
  { kind, cents, from, until }: LineFilter,
  { before, limit }: { before: number; limit: number },
): Promise<{ lines: AccountLine[]; next?: number; searchedBackTo?: Date }> {
  const values = [id, before, from, until];
  const rows = await db.run<AccountLine & { line: number }>(PAGE, [...values, kind ?? null, cents ?? null, limit]);
  const last = rows.at(-1);
  if (last && rows.length === limit) return { lines: rows, next: last.line };
  const [further] = await db.run<{ line: number; at: Date }>(PAGE_END, values);
  return further ? { lines: rows, next: further.line, searchedBackTo: further.at } : { lines: rows };
}

const MOVEMENTS: SqlStatement = {
  name: 'ledger-movements-page',
  text: `select l.id, l.occurred_at as at, l.kind, ${TITLE}, ${toMovedSql('l')} as cents from ${ACCOUNT_KINDS}, lateral (
      select * from ledger_transactions where kind = k.kind and account_ids @> array[$1::bigint] and (occurred_at, id) < ($3, $4::uuid)
        and occurred_at >= $5 and occurred_at < $6 and ($7::text is null or kind = $7) order by occurred_at desc, id desc limit $8) l
    order by l.occurred_at desc, l.id desc limit $8`,
};

export function listAccountMovements(
  db: Executor,
  { id, isDebit }: AccountRow,
  { kind, from, until }: LineFilter,
  { after, limit }: { after: TransactionCursor; limit: number },
): Promise<Omit<AccountLine, 'balanceCents'>[]> {
  return db.run(MOVEMENTS, [id, isDebit, after.at, after.id, from, until, kind ?? null, limit]);
}

export async function getBalanceBefore(db: Executor, { id, isDebit, code }: AccountRow, until: Date, now: Date) {
  if (until > now) return getBalance(db, code);
  const [sum] = await db.run<{ cents: number }>(SUM_BEFORE, [id, isDebit, until]);
  return sum?.cents ?? 0;
}

const TOTALS: SqlStatement = {
  name: 'ledger-totals',
  text: `select replace(a.code, coalesce(a.owner_id::text, ''), '*') as pattern, a.kind in ('asset', 'expense') as "isDebit", count(*)::int as accounts,
      sum(a.balance_cents + coalesce(i.cents, 0))::bigint as cents
    from ledger_accounts a left join (select id, sum(cents) as cents from (
      select account_id as id, amount_cents as cents from ledger_inflows
      union all select platform_account_id, platform_cents from ledger_inflows where platform_account_id is not null) u group by 1) i on i.id = a.id
    group by 1, 2 order by 1`,
};

export type LedgerTotal = {
  pattern: string;
  isDebit: boolean;
  accounts: number;
  cents: number;
};

/** Returns the totals of all accounts by type in one snapshot. Reads every account once. */
export function listLedgerTotals(db: Executor): Promise<LedgerTotal[]> {
  return db.run<LedgerTotal>(TOTALS, []);
}
