/** Lists of sales: what a creator earned and what a fan's balance went through. A page costs the same wherever it lies. */
import { asCents, type Cents } from '@stagedoor/contract/atoms/money.ts';
import {
  OTHER_MOVEMENT,
  STATEMENT_TYPES,
  type StatementType,
  statementTypeOf,
} from '@stagedoor/contract/money-kinds.ts';
import type { Executor, Statement } from '../../kernel/db.ts';
import { account } from '../ledger/index.ts';

export type Sale = {
  id: string;
  kind: string;
  /** Its kind in plain words, and whether a fan buys a subject of it once. */
  title: string;
  isOnce: boolean;
  fanId: string;
  creatorId: string;
  subjectId: string | null;
  grossCents: Cents;
  feeCents: Cents;
  netCents: Cents;
  feePercent: number;
  /** Given back so far: of the gross, and of the creator's share. */
  reversedCents: Cents;
  reversedNetCents: Cents;
  tipType: string | null;
  note: string;
  createdAt: Date;
  clearsAt: Date;
  /** When its share became available; null while it waits. */
  clearedAt: Date | null;
};

const COLUMNS = `s.id, s.kind, k.title, k.is_once as "isOnce", s.fan_id as "fanId", s.creator_id as "creatorId", s.subject_id as "subjectId", s.gross_cents as "grossCents", s.fee_cents as "feeCents",
  s.net_cents as "netCents", s.fee_basis_points / 100.0 as "feePercent", s.reversed_cents as "reversedCents", s.reversed_cents - s.reversed_fee_cents as "reversedNetCents",
  s.tip_type as "tipType", s.note, s.created_at as "createdAt", s.clears_at as "clearsAt",
  (select max(t.occurred_at) from ledger_clearings c join ledger_transactions t on t.id = c.clearing_id where c.transaction_id = s.id) as "clearedAt"`;

const FIND: Statement = {
  name: 'sales-find',
  text: `select ${COLUMNS} from sales s join ledger_kinds k on k.kind = s.kind where s.id = any($1::uuid[])`,
};

/** A sale by its id (the ledger transaction's), whoever asks: check who may see it. */
export async function findSale(db: Executor, id: string): Promise<Sale | undefined> {
  return (await findSales(db, [id]))[0];
}

/** Those of some ids that are sales, in any order. */
export function findSales(db: Executor, ids: readonly string[]): Promise<Sale[]> {
  return db.run<Sale>(FIND, [ids]);
}

export type SalesPage = { kind?: string | undefined; limit: number; skip?: number; before?: string | undefined };

/** One index probe a kind, so that a rare kind is found without walking past the others. */
const OF_CREATOR: Statement = {
  name: 'sales-of-creator',
  text: `select ${COLUMNS} from (select * from ledger_kinds where fee_account is not null and ($2::text is null or kind = $2)) k, lateral (
      select * from sales where creator_id = $1 and sales.kind = k.kind
        and (created_at, id) < (coalesce((select created_at from sales where id = $3), 'infinity'), $3::uuid)
        order by created_at desc, id desc limit $4::bigint + $5::bigint) s
    order by s.created_at desc, s.id desc limit $4 offset $5`,
};
/** What a creator received for sales, and not by clearing. */
export const SALE_TAG = 'tag = any (array(select kind from ledger_kinds where fee_account is not null))';
const COUNT: Statement = {
  name: 'sales-count-of-creator',
  text: `select coalesce(sum(items), 0)::bigint as count from (
      select d.items, d.tag from ledger_days d join ledger_accounts a on a.id = d.account_id where a.code = $1
      union all select i.items, i.tag from ledger_inflows i join ledger_accounts a on a.id = i.account_id where a.code = $1) u
      where ${SALE_TAG} and ($2::text is null or tag = $2)`,
};
/** After every id there is. */
const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** A creator's sales, newest first, given-back ones included; `before` is the last id of the page before. */
export async function listSalesForCreator(
  db: Executor,
  creatorId: string,
  page: SalesPage,
): Promise<{ sales: Sale[]; totalCount: number }> {
  const kind = page.kind ?? null;
  const [sales, counted] = await Promise.all([
    db.run<Sale>(OF_CREATOR, [creatorId, kind, page.before ?? LAST, page.limit, page.skip ?? 0]),
    db.run<{ count: number }>(COUNT, [account.pending(creatorId), kind]),
  ]);
  return { sales, totalCount: counted[0]?.count ?? 0 };
}

export type StatementLine = {
  /** Its place, from 1: the cursor of the page after it. */
  line: number;
  transactionId: string;
  createdAt: Date;
  type: StatementType;
  /** Its kind in plain words, which are finer than `type`. */
  title: string;
  /** Positive: received; negative: paid. */
  amountCents: Cents;
  /** The balance after it. */
  balanceCents: Cents;
  /** The sale that it is, or takes back. */
  sale: Sale | null;
  /** The deposit that it takes back. */
  depositTransactionId: string | null;
  /** What the posting noted, such as the card's last four. */
  metadata: Record<string, unknown> | null;
};

export type StatementPage = {
  limit: number;
  skip?: number;
  /** The last line of the page before. */
  cursor?: number | undefined;
  type?: StatementType | undefined;
  /** At least so much moved, either way, in cents. */
  minAmountCents?: number | undefined;
};

const KNOWN_TYPES = STATEMENT_TYPES.filter((type) => type !== 'other').join();
export const SHOWN = `l.line, t.id as "transactionId", t.occurred_at as "createdAt", k.statement_type as type, coalesce(k.title, '${OTHER_MOVEMENT}') as title, l.amount_cents as "amountCents",
  l.balance_cents as "balanceCents", coalesce(r.reverses_id, t.id) as "aboutId", r.reverses_id as "reversesId", t.metadata`;
export const ABOUT = `join ledger_transactions t on t.id = l.transaction_id left join ledger_reversals r on r.transaction_id = t.id
  left join ledger_kinds k on k.kind = l.kind`;
const OWN = 'account_id = (select id from ledger_accounts where code = $1)';
/** Of the kinds that show under a type; under `other`, all that do not show under one of the known. */
const WANTED = `($2::text is null or case when $2 = 'other' then l.kind <> all (array(select kind from ledger_kinds where statement_type = any ('{${KNOWN_TYPES}}')))
  else l.kind = any (array(select kind from ledger_kinds where statement_type = $2)) end) and abs(l.amount_cents) >= $3::bigint`;

/** Lines are gapless: skipping some is arithmetic. The page is cut before anything is joined to it. */
const PLAIN: Statement = {
  name: 'statement-plain',
  text: `select ${SHOWN} from (
      select * from ledger_lines where ${OWN} and line <= least($2::bigint, (select lines from ledger_accounts where code = $1) - $3::bigint)
        order by line desc limit $4) l ${ABOUT} order by l.line desc`,
};
const FILTERED: Statement = {
  name: 'statement-filtered',
  text: `select ${SHOWN} from (
      select * from ledger_lines l where l.${OWN} and ${WANTED} and l.line <= $4::bigint order by l.line desc limit $5 offset $6) l ${ABOUT} order by l.line desc`,
};
const COUNT_PLAIN: Statement = {
  name: 'statement-count',
  text: 'select lines as count from ledger_accounts where code = $1',
};
/** Counting stops here: nobody pages further in a filtered list. */
const MOST_COUNTED = 5_000;
const COUNT_FILTERED: Statement = {
  name: 'statement-count-filtered',
  text: `select count(*)::int as count from (select from ledger_lines l where l.${OWN} and ${WANTED} limit ${MOST_COUNTED}) counted`,
};
export type LineRow = Omit<StatementLine, 'type' | 'sale' | 'depositTransactionId'> & {
  type: string | null;
  aboutId: string;
  reversesId: string | null;
};

function lineOf<Row extends LineRow>({ aboutId, reversesId, type, ...row }: Row, sale: Sale | null) {
  return { ...row, type: statementTypeOf(type ?? ''), sale, depositTransactionId: sale ? null : reversesId };
}

/** Rows as lines, with the sales that they are or take back. */
export async function linesOf<Row extends LineRow>(db: Executor, rows: readonly Row[]) {
  const sales = new Map(
    (await db.run<Sale>(FIND, [rows.map(({ aboutId }) => aboutId)])).map((sale) => [sale.id, sale]),
  );
  return rows.map((row) => lineOf(row, sales.get(row.aboutId) ?? null));
}

/**
 * Every movement of a fan's balance with the balance after it, newest first. `totalCount` is exact without a filter, and
 * counts up to 5,000 with one.
 */
export async function listStatement(
  db: Executor,
  fanId: string,
  page: StatementPage,
): Promise<{ lines: StatementLine[]; totalCount: number }> {
  const { limit, skip = 0, type = null, minAmountCents = 0 } = page;
  const code = account.wallet(fanId);
  const last = page.cursor === undefined ? Number.MAX_SAFE_INTEGER : page.cursor - 1;
  const isPlain = type === null && minAmountCents <= 0;
  const [rows, counted] = await Promise.all([
    isPlain
      ? db.run<LineRow>(PLAIN, [code, last, skip, limit])
      : db.run<LineRow>(FILTERED, [code, type, asCents(minAmountCents), last, limit, skip]),
    isPlain
      ? db.run<{ count: number }>(COUNT_PLAIN, [code])
      : db.run<{ count: number }>(COUNT_FILTERED, [code, type, asCents(minAmountCents)]),
  ]);
  return { lines: await linesOf(db, rows), totalCount: counted[0]?.count ?? 0 };
}

const LINE: Statement = {
  name: 'statement-line',
  text: `select ${SHOWN} from (select * from ledger_lines where ${OWN} and transaction_id = $2 order by line desc limit 1) l ${ABOUT}`,
};

/** One movement of a fan's balance, for its receipt. */
export async function findStatementLine(
  db: Executor,
  fanId: string,
  transactionId: string,
): Promise<StatementLine | undefined> {
  const [row] = await db.run<LineRow>(LINE, [account.wallet(fanId), transactionId]);
  return row && lineOf(row, (await findSale(db, row.aboutId)) ?? null);
}
