/**
 * The statement of a fan: every movement of available money and debt. Debt has an account of its own. Its lines are
 * shown with the wallet line of the same transaction, or alone between the wallet lines of their time.
 */

import {
  OTHER_TRANSACTION_TITLE,
  STATEMENT_TYPES,
  type StatementType,
  toStatementType,
} from '@stagedoor/contract/commerce/money-kinds.ts';
import { asCents, type Cents } from '@stagedoor/contract/shared/money.ts';
import type { Executor, SqlStatement } from '../../../platform/database/db.ts';
import { account } from '../../ledger/ledger/index.ts';
import { findSale, listSalesByIds, type Sale } from './lists.ts';

/** A position: the wallet line, and the debt line shown with it or after it (0: none). */
export type StatementCursor = { line: number; owedLine: number };

export type StatementLine = StatementCursor & {
  transactionId: string;
  createdAt: Date;
  type: StatementType;
  title: string;
  causeTitle: string | null;
  /** Available money less debt. Positive: received. Negative: paid or owed. */
  amountCents: Cents;
  availableCents: Cents;
  owedCents: Cents;
  balanceCents: Cents;
  sale: Sale | null;
  depositTransactionId: string | null;
  metadata: Record<string, unknown> | null;
};

export type StatementPage = {
  limit: number;
  skip?: number;
  cursor?: StatementCursor | undefined;
  type?: StatementType | undefined;
  /** The minimum absolute amount in cents. */
  minAmountCents?: number | undefined;
};

/** The first parameters of every statement here: `$1` the wallet code, `$2` the debt code. */
export const toWalletCodes = (fanId: string) => [account.wallet(fanId), account.owed(fanId)] as const;

const toLastIdSql = (id: string) => `(left(${id}::text, 14) || '7fff-bfff-ffffffffffff')::uuid`;
/**
 * Debt lines with their position among the wallet lines (`is_alone`: the transaction has no wallet line). Both accounts
 * are written under the wallet lock, so their order is well defined. A line alone follows the line that it reverses,
 * otherwise the lines of its time, and stays between its neighbors with a wallet line.
 */
export const DEBT_LINES = `own as materialized (
    select (select id from ledger_accounts where code = $1) as wallet, (select id from ledger_accounts where code = $2) as owed),
  owed as materialized (
    select o.*, max(case when is_alone then least(coalesce(paired_line, 0), next - 1) else paired_line end) over (order by line) as wallet_line from (
      select l.line, l.transaction_id, l.kind, l.amount_cents, l.balance_cents, a.is_alone, b.line as paired_line,
        min(b.line) filter (where not a.is_alone) over (order by l.line rows between 1 following and unbounded following) as next
      from own join ledger_lines l on l.account_id = own.owed join ledger_transactions t on t.id = l.transaction_id
      cross join lateral (select own.wallet <> all (t.account_ids) as is_alone) a
      left join ledger_reversals r on r.transaction_id = t.id
      left join ledger_transactions v on v.id = r.reverses_id and v.occurred_at = t.occurred_at and own.wallet = any (v.account_ids)
      left join lateral (select line from ledger_lines where account_id = own.wallet and case when a.is_alone and v.id is null
          then transaction_id <= ${toLastIdSql('t.id')} else transaction_id = case when a.is_alone then v.id else t.id end end
        order by line desc limit 1) b on true) o)`;
export const toWalletLinesSql = (
  lines: string,
) => `select l.line, coalesce(o.line, 0) as owed_line, l.transaction_id, l.kind, l.amount_cents as available,
    coalesce(o.amount_cents, 0) as owed, l.balance_cents as wallet from (${lines}) l left join owed o on o.wallet_line = l.line and not o.is_alone`;
export const UNPAIRED_DEBT_LINES = `select l.wallet_line, l.line, l.transaction_id, l.kind, 0::bigint, l.amount_cents,
    coalesce((select balance_cents from ledger_lines where account_id = (select wallet from own) and line = l.wallet_line), 0) from owed l where l.is_alone`;
const WALLET_LINES = 'select * from ledger_lines l where l.account_id = (select wallet from own)';

export const LINE_COLUMNS = `m.line, m.owed_line as "owedLine", t.id as "transactionId", t.occurred_at as "createdAt", k.statement_type as type,
  coalesce(k.title, '${OTHER_TRANSACTION_TITLE}') as title, case when m.kind = 'debt' then (select c.title from ledger_transactions b join ledger_kinds c on c.kind = b.kind
    where b.id = r.reverses_id) end as "causeTitle", m.available - m.owed as "amountCents", m.available as "availableCents", m.owed as "owedCents",
  m.wallet - coalesce((select o.balance_cents from owed o where (o.wallet_line, o.line) <= (m.line, m.owed_line) order by o.line desc limit 1), 0) as "balanceCents",
  coalesce(r.reverses_id, t.id) as "originId", coalesce(d.reverses_id, c.reverses_id, r.reverses_id) as "reversesId", t.metadata`;
export const LINE_JOINS = `join ledger_transactions t on t.id = m.transaction_id left join ledger_reversals r on r.transaction_id = t.id
  left join ledger_reversals c on c.transaction_id = r.reverses_id left join ledger_reversals d on d.transaction_id = c.reverses_id
  left join ledger_kinds k on k.kind = m.kind`;

const KNOWN_TYPES = STATEMENT_TYPES.filter((type) => type !== 'other').join();
/** Holds exist only for calls, so the filter for calls includes them. */
const TYPES_BY_FILTER: Readonly<Partial<Record<StatementType, readonly StatementType[]>>> = {
  call: ['call', 'hold', 'release'],
};
const MATCHES_FILTER = `($3::text[] is null or case when 'other' = any ($3) then l.kind <> all (array(select kind from ledger_kinds where statement_type = any ('{${KNOWN_TYPES}}')))
  else l.kind = any (array(select kind from ledger_kinds where statement_type = any ($3))) end)
  and (abs(l.amount_cents) >= $4::bigint or l.transaction_id in (select transaction_id from owed where abs(amount_cents) >= $4))`;
/**
 * True for the unfiltered statement of a fan who never had a debt. Its line numbers have no gaps, so an offset is
 * simple arithmetic.
 */
const IS_UNFILTERED = '($3::text[] is null and $4::bigint <= 0 and (select owed from own) is null)';

const PAGE: SqlStatement = {
  name: 'statement-page',
  text: `with ${DEBT_LINES}, page as (
      select * from (
        ${toWalletLinesSql(`${WALLET_LINES} and ${MATCHES_FILTER}
          and l.line <= least($5::bigint, case when ${IS_UNFILTERED} then (select lines from ledger_accounts where code = $1) - $8::bigint end)
          order by l.line desc limit $7::bigint + 1 + case when ${IS_UNFILTERED} then 0 else $8::bigint end`)}
        union all ${UNPAIRED_DEBT_LINES} and ${MATCHES_FILTER}) m
      where (m.line, m.owed_line) < ($5::bigint, $6::bigint) order by m.line desc, m.owed_line desc
      limit $7 offset case when ${IS_UNFILTERED} then 0 else $8::bigint end)
    select ${LINE_COLUMNS} from page m ${LINE_JOINS} order by m.line desc, m.owed_line desc`,
};
/** Counting stops here, because users do not page further in a filtered list. */
const MAX_COUNTED = 5_000;
const COUNT: SqlStatement = {
  name: 'statement-count',
  text: `with ${DEBT_LINES} select (case when $3::text[] is null and $4::bigint <= 0 then coalesce((select lines from ledger_accounts where code = $1), 0)
      else (select count(*) from (${WALLET_LINES} and ${MATCHES_FILTER} limit ${MAX_COUNTED}) counted) end
    + (select count(*) from (${UNPAIRED_DEBT_LINES} and ${MATCHES_FILTER}) counted))::bigint as count`,
};
export type LineRow = Omit<StatementLine, 'type' | 'sale' | 'depositTransactionId'> & {
  type: string | null;
  originId: string;
  reversesId: string | null;
};

function toStatementLine<Row extends LineRow>({ originId, reversesId, type, ...row }: Row, sale: Sale | null) {
  return { ...row, type: toStatementType(type ?? ''), sale, depositTransactionId: sale ? null : reversesId };
}

export async function toStatementLines<Row extends LineRow>(db: Executor, rows: readonly Row[]) {
  const rowSales = await listSalesByIds(
    db,
    rows.map(({ originId }) => originId),
  );
  const sales = new Map(rowSales.map((sale) => [sale.id, sale]));
  return rows.map((row) => toStatementLine(row, sales.get(row.originId) ?? null));
}

const NEWEST_LINE: StatementCursor = { line: Number.MAX_SAFE_INTEGER, owedLine: Number.MAX_SAFE_INTEGER };

/**
 * Lists every movement with the balance after it, newest first. `totalCount` is exact without a filter, and at most
 * 5,000 with one.
 */
export async function listStatement(
  db: Executor,
  fanId: string,
  { limit, skip = 0, cursor = NEWEST_LINE, type, minAmountCents = 0 }: StatementPage,
): Promise<{ lines: StatementLine[]; totalCount: number }> {
  const types = type && (TYPES_BY_FILTER[type] ?? [type]);
  const filterValues = [...toWalletCodes(fanId), types ?? null, asCents(minAmountCents)];
  const [rows, counted] = await Promise.all([
    db.run<LineRow>(PAGE, [...filterValues, cursor.line, cursor.owedLine, limit, skip]),
    db.run<{ count: number }>(COUNT, filterValues),
  ]);
  return { lines: await toStatementLines(db, rows), totalCount: counted[0]?.count ?? 0 };
}

/** A sale that captured its whole hold moved nothing in the wallet. It is shown with the last line before its time. */
const FULLY_CAPTURED_SALE = `select b.line, b.owed_line, s.id, s.kind, 0::bigint, 0::bigint, b.wallet from sales s cross join lateral (
    select * from (${toWalletLinesSql(`${WALLET_LINES} and l.transaction_id <= ${toLastIdSql('s.id')} order by l.line desc limit 1`)}
      union all ${UNPAIRED_DEBT_LINES} and l.transaction_id <= ${toLastIdSql('s.id')}) m order by m.line desc, m.owed_line desc limit 1) b
  where s.id = $3::uuid and s.fan_id = $4::uuid
    and not exists (select from ledger_lines where account_id = (select wallet from own) and transaction_id = s.id)`;
const LINE: SqlStatement = {
  name: 'statement-line',
  text: `with ${DEBT_LINES} select ${LINE_COLUMNS} from (
      select * from (${toWalletLinesSql(`${WALLET_LINES} and l.transaction_id = $3::uuid`)} union all ${UNPAIRED_DEBT_LINES} and (l.transaction_id = $3::uuid
        or l.kind = 'debt' and l.transaction_id in (select transaction_id from ledger_reversals where reverses_id = $3::uuid))
        union all ${FULLY_CAPTURED_SALE}) m
      order by m.transaction_id = $3::uuid desc, m.line desc, m.owed_line desc limit 1) m ${LINE_JOINS}`,
};

/**
 * Returns one movement for its receipt: by its transaction, by the reversal that caused a debt, or by a sale from a
 * hold.
 */
export async function findStatementLine(
  db: Executor,
  fanId: string,
  transactionId: string,
): Promise<StatementLine | undefined> {
  const [row] = await db.run<LineRow>(LINE, [...toWalletCodes(fanId), transactionId, fanId]);
  return row && toStatementLine(row, (await findSale(db, row.originId)) ?? null);
}

const LINES: SqlStatement = {
  name: 'statement-lines',
  text: `with ${DEBT_LINES} select ${LINE_COLUMNS} from (${toWalletLinesSql(`${WALLET_LINES} and l.transaction_id = any ($3::uuid[])`)}) m ${LINE_JOINS} order by m.line, m.owed_line`,
};

export async function listStatementLinesByIds(
  db: Executor,
  fanId: string,
  transactionIds: readonly string[],
): Promise<StatementLine[]> {
  return toStatementLines(db, await db.run<LineRow>(LINES, [...toWalletCodes(fanId), transactionIds]));
}
