/** Reading what moved on a fan's wallet: each line with the sale or deposit it belongs to, in one statement. */
import type { Executor, Statement } from '../../kernel/db.ts';

export type LineType = 'deposit' | 'tip' | 'post' | 'refund' | 'chargeback';

/** A line of a statement. What begins with `sale` or `deposit` is null when it belongs to none. */
export type LineRow = {
  id: string;
  at: Date;
  /** Its place in the statement, from 1. */
  line: number;
  type: LineType;
  ledger_kind: string;
  /** Signed: what the wallet gained. */
  cents: number;
  balance_cents: number;
  reverses_id: string | null;
  sale_kind: string | null;
  creator_id: string | null;
  fan_id: string | null;
  subject_id: string | null;
  tip_type: string | null;
  note: string | null;
  gross_cents: number | null;
  fee_cents: number | null;
  fee_basis_points: number | null;
  sale_reversed_cents: number | null;
  deposit_id: string | null;
  card_brand: string | null;
  card_last4: string | null;
};

/** The ledger's kinds as a fan reads them: what a processor took back by force is a chargeback, all else given back a refund. */
const TYPE = `case when t.kind in ('deposit', 'tip', 'post') then t.kind
  when t.kind in ('deposit_chargeback', 'deposit_return') then 'chargeback'
  when t.kind in ('deposit_refund', 'deposit_void') or r.transaction_id is not null then 'refund' end`;

const COLUMNS = `t.id, t.occurred_at as at, e.line, ${TYPE} as type, t.kind as ledger_kind,
  case e.side when 'C' then e.amount_cents else -e.amount_cents end as cents, e.balance_after as balance_cents, r.reverses_id,
  s.kind as sale_kind, s.creator_id, s.fan_id, s.subject_id, s.tip_type, s.note, s.gross_cents, s.fee_cents, s.fee_basis_points,
  s.reversed_cents as sale_reversed_cents, d.id as deposit_id, d.card_brand, d.card_last4`;

const JOINS = `join ledger_transactions t on t.id = e.transaction_id
  left join ledger_reversals r on r.transaction_id = t.id
  left join sales s on s.id = coalesce(r.reverses_id, t.id)
  left join deposits d on d.transaction_id = coalesce(r.reverses_id, t.id)`;

const PAGE: Statement = {
  name: 'wallet-statement',
  text: `select ${COLUMNS} from ledger_entries e ${JOINS}
    where e.account_id = (select id from ledger_accounts where code = $1) and e.line < $2 order by e.line desc offset $3 limit $4`,
};
const FILTERED = `e.account_id = (select id from ledger_accounts where code = $1) and e.line < $2
    and ($3::text is null or ${TYPE} = $3) and e.amount_cents >= $4::bigint`;
const FILTERED_PAGE: Statement = {
  name: 'wallet-statement-filtered',
  text: `select ${COLUMNS} from ledger_entries e ${JOINS} where ${FILTERED} order by e.line desc offset $5 limit $6`,
};
const FILTERED_COUNT: Statement = {
  name: 'wallet-statement-count',
  text: `select count(*) as count from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
    left join ledger_reversals r on r.transaction_id = t.id where ${FILTERED}`,
};
/** A statement's lines are numbered without gaps, so their number is known without counting. */
const COUNT: Statement = {
  name: 'wallet-statement-lines',
  text: 'select lines as count from ledger_accounts where code = $1',
};

export type StatementPage = { beforeLine: number; skip: number; limit: number };
export type StatementFilter = { type: LineType | null; minCents: number };

const BEFORE_ALL = Number.MAX_SAFE_INTEGER;

/** Lines of an account, newest first, and how many there are in all. */
export async function readStatement(
  db: Executor,
  accountCode: string,
  filter: StatementFilter,
  page: StatementPage,
): Promise<{ rows: LineRow[]; total: number }> {
  const isFiltered = filter.type !== null || filter.minCents > 0;
  const given = [filter.type, filter.minCents];
  const [rows, counts] = await Promise.all([
    isFiltered
      ? db.run<LineRow>(FILTERED_PAGE, [accountCode, page.beforeLine, ...given, page.skip, page.limit])
      : db.run<LineRow>(PAGE, [accountCode, page.beforeLine, page.skip, page.limit]),
    isFiltered
      ? db.run<{ count: number }>(FILTERED_COUNT, [accountCode, BEFORE_ALL, ...given])
      : db.run<{ count: number }>(COUNT, [accountCode]),
  ]);
  return { rows, total: counts[0]?.count ?? 0 };
}

const ONE: Statement = {
  name: 'wallet-statement-one',
  text: `select ${COLUMNS}, a.owner_id from ledger_entries e join ledger_accounts a on a.id = e.account_id ${JOINS}
    where e.transaction_id = $1 and a.code like 'liab:fan:%:wallet' and ${TYPE} is not null`,
};

/** The line that a transaction is on a fan's wallet, whosever it is; access decides. */
export async function findLine(
  db: Executor,
  transactionId: string,
): Promise<(LineRow & { owner_id: string }) | undefined> {
  return (await db.run<LineRow & { owner_id: string }>(ONE, [transactionId]))[0];
}

const WALLET: Statement = {
  name: 'wallet-of-fan',
  text: `select coalesce(w.balance_cents, 0) as available_cents, coalesce(h.balance_cents, 0) as held_cents,
      case when w.spent_day = $3::date then w.spent_cents else 0 end as spent_cents, coalesce(w.day_limit_cents, s.daily_limit_cents) as limit_cents
    from sales_settings s left join ledger_accounts w on w.code = $1 left join ledger_accounts h on h.code = $2`,
};

export type WalletRow = { available_cents: number; held_cents: number; spent_cents: number; limit_cents: number };

/** @param today `YYYY-MM-DD`, UTC */
export async function readWallet(
  db: Executor,
  codes: { wallet: string; hold: string },
  today: string,
): Promise<WalletRow> {
  const [row] = await db.run<WalletRow>(WALLET, [codes.wallet, codes.hold, today]);
  if (!row) throw new Error('there are no sales settings');
  return row;
}
