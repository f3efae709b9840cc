/**
 * The statement of a fan: every movement of available money and debt. Debt has an account of its own. Its lines are
 * shown with the wallet line of the same transaction, or alone between the wallet lines of their time.
 *
 * The wallet page lists rows instead of lines: a hold with its extensions, its capture and its release is one row, at
 * the line that placed it. Everything else is a row of its own. Filters, counts and pages are those of the rows.
 */

import {
  HOLD_PART_KINDS,
  MONEY_KINDS,
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

/**
 * The amount of a hold is what it cost: what is held, and in the end what was captured. `balanceCents` is the balance
 * after its first line.
 */
export type StatementRow = StatementLine & { hold: { heldCents: Cents; capturedCents: Cents } | null };

export type StatementPage = {
  limit: number;
  skip?: number;
  cursor?: StatementCursor | undefined;
  type?: StatementType | undefined;
  /** The minimum of the shown amount, without its sign, in cents. */
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
/** Holds exist only for calls, so the filter for calls finds them in every state. */
const HOLD_TYPES: readonly StatementType[] = ['call', 'hold', 'release'];
const HOLD_TYPE_SQL = `case h.state when 'held' then 'hold' when 'captured' then 'call' when 'released' then 'release' end`;
const HOLD_CENTS_SQL = `case h.state when 'held' then h.amount_cents else h.captured_cents end`;
const ofHoldSql = (value: string) => `(select ${value} from ledger_holds h where h.id = l.transaction_id)`;

const HOLD_PARTS = `'{${HOLD_PART_KINDS.join()}}'::text[]`;
const IS_SHOWN = `l.kind <> all (${HOLD_PARTS})`;
/**
 * Conditions by the type of the filter, `$3`. Each is a statement of its own, so that the kinds can be looked up in the
 * index ledger_lines_of_kind.
 */
const TYPE_CONDITIONS = {
  all: `${IS_SHOWN} and $3::text[] is null`,
  known: `l.kind = any (array(select kind from ledger_kinds where statement_type = any ($3::text[]) and kind <> all (${HOLD_PARTS})
      union all select 'hold' where $3 && '{${HOLD_TYPES.join()}}'))
    and (l.kind <> 'hold' or $3 @> '{${HOLD_TYPES.join()}}' or ${ofHoldSql(HOLD_TYPE_SQL)} = any ($3))`,
  other: `$3::text[] is not null and l.kind <> all (array(select kind from ledger_kinds where statement_type = any ('{${KNOWN_TYPES}}')))`,
} as const;
type TypeCondition = keyof typeof TYPE_CONDITIONS;

/** The amount that a row shows: available money less debt, or what moved between the two. */
const SHOWN_CENTS = `case when l.kind = 'hold' then coalesce(${ofHoldSql(HOLD_CENTS_SQL)}, abs(l.amount_cents))
  when (select owed from own) is null then abs(l.amount_cents)
  else (select abs(coalesce(nullif(l.amount_cents - d.cents, 0), d.cents)) from (
    select coalesce(sum(o.amount_cents), 0) as cents from owed o where o.wallet_line = l.line and not o.is_alone) d) end`;
const walletRowsSql = (type: TypeCondition) =>
  `${WALLET_LINES} and ${TYPE_CONDITIONS[type]} and ($4::bigint <= 0 or ${SHOWN_CENTS} >= $4)`;
const unpairedDebtRowsSql = (type: TypeCondition) =>
  `${UNPAIRED_DEBT_LINES} and ${TYPE_CONDITIONS[type]} and abs(l.amount_cents) >= $4`;
const HOLD_PART_LINES = `select from ledger_lines l where l.account_id = (select wallet from own) and l.kind = any (${HOLD_PARTS})`;
const IS_UNFILTERED = '($3::text[] is null and $4::bigint <= 0)';
/**
 * True for the unfiltered statement of a fan who never had a debt or a call. Its line numbers have no gaps, so an
 * offset is simple arithmetic.
 */
const IS_GAPLESS = `(${IS_UNFILTERED} and (select owed from own) is null and not exists (${HOLD_PART_LINES}))`;

const pageSql = (
  type: TypeCondition,
) => `with ${DEBT_LINES}, gapless as materialized (select ${IS_GAPLESS} as is_gapless), page as (
      select * from (
        ${toWalletLinesSql(`${walletRowsSql(type)}
          and l.line <= least($5::bigint, case when (select is_gapless from gapless) then (select lines from ledger_accounts where code = $1) - $8::bigint end)
          order by l.line desc limit $7::bigint + 1 + case when (select is_gapless from gapless) then 0 else $8::bigint end`)}
        union all ${unpairedDebtRowsSql(type)}) m
      where (m.line, m.owed_line) < ($5::bigint, $6::bigint) order by m.line desc, m.owed_line desc
      limit $7 offset case when (select is_gapless from gapless) then 0 else $8::bigint end)
    select ${LINE_COLUMNS}, case when h.id is not null then json_build_object('type', ${HOLD_TYPE_SQL}, 'costCents', ${HOLD_CENTS_SQL},
      'heldCents', h.amount_cents, 'capturedCents', h.captured_cents) end as hold
    from page m ${LINE_JOINS} left join ledger_holds h on h.id = m.transaction_id order by m.line desc, m.owed_line desc`;
const countSql = (type: TypeCondition) => `with ${DEBT_LINES}
    select (case when ${IS_UNFILTERED} then coalesce((select lines from ledger_accounts where code = $1), 0) - (select count(*) from (${HOLD_PART_LINES}) parts)
      else (select count(*) from (${walletRowsSql(type)}) counted) end
    + (select count(*) from (${unpairedDebtRowsSql(type)}) counted))::bigint as count`;
const STATEMENTS: Readonly<Record<TypeCondition, { page: SqlStatement; count: SqlStatement }>> = {
  all: {
    page: { name: 'statement-page', text: pageSql('all') },
    count: { name: 'statement-count', text: countSql('all') },
  },
  known: {
    page: { name: 'statement-page-known', text: pageSql('known') },
    count: { name: 'statement-count-known', text: countSql('known') },
  },
  other: {
    page: { name: 'statement-page-other', text: pageSql('other') },
    count: { name: 'statement-count-other', text: countSql('other') },
  },
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

type HoldColumn = { hold: { type: StatementType; costCents: Cents; heldCents: Cents; capturedCents: Cents } | null };

const HOLD_TITLES: Readonly<Partial<Record<StatementType, string | undefined>>> = {
  call: MONEY_KINDS.call?.title,
  release: MONEY_KINDS.hold_release?.title,
};

function toStatementRow({ hold, ...line }: StatementLine & HoldColumn): StatementRow {
  if (hold === null) return { ...line, hold };
  const { type, costCents, ...amounts } = hold;
  const cents = asCents(0 - costCents);
  const title = HOLD_TITLES[type] ?? line.title;
  return { ...line, type, title, amountCents: cents, availableCents: cents, hold: amounts };
}

const NEWEST_LINE: StatementCursor = { line: Number.MAX_SAFE_INTEGER, owedLine: Number.MAX_SAFE_INTEGER };

/** Lists the rows of the wallet with the balance after each, newest first, and counts them. */
export async function listStatement(
  db: Executor,
  fanId: string,
  { limit, skip = 0, cursor = NEWEST_LINE, type, minAmountCents = 0 }: StatementPage,
): Promise<{ rows: StatementRow[]; totalCount: number }> {
  const types = type === 'call' ? HOLD_TYPES : type && [type];
  const statements = STATEMENTS[type === undefined ? 'all' : type === 'other' ? 'other' : 'known'];
  const filterValues = [...toWalletCodes(fanId), types ?? null, asCents(minAmountCents)];
  const [lineRows, counted] = await Promise.all([
    db.run<LineRow & HoldColumn>(statements.page, [...filterValues, cursor.line, cursor.owedLine, limit, skip]),
    db.run<{ count: number }>(statements.count, filterValues),
  ]);
  const lines = await toStatementLines(db, lineRows);
  return { rows: lines.map(toStatementRow), totalCount: counted[0]?.count ?? 0 };
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
