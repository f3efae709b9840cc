/**
 * Statements of a period for fans and creators, oldest first. Requires a snapshot. Opening balance, movements and
 * closing balance are read independently, so that their sum is a proof.
 */
import type { Executor, SqlStatement } from '../../../platform/database/db.ts';
import { readInBatches } from '../../../platform/database/db-cursor.ts';
import { account } from '../../ledger/ledger/index.ts';
import { listSalesByIds, type Sale } from './lists.ts';
import {
  DEBT_LINES,
  LINE_COLUMNS,
  LINE_JOINS,
  type LineRow,
  type StatementLine,
  toStatementLines,
  toWalletCodes,
  toWalletLinesSql,
  UNPAIRED_DEBT_LINES,
} from './statement.ts';

/** Midnights in UTC, `to` exclusive. */
export type UtcPeriod = { from: Date; to: Date };

/** `feeCents` is the fee that the fan paid in addition: negative, or positive when it was refunded. */
export type WalletMovement = StatementLine & { feeCents: number };

export type WalletBalances = { availableCents: number; owedCents: number };

export type WalletPeriod = {
  opening: WalletBalances;
  closing: WalletBalances;
  movements: AsyncIterable<WalletMovement[]>;
};

const toBalanceBeforeSql = (code: string) =>
  `ledger_balance_before((select id from ledger_accounts where code = ${code}), $3)`;
const WALLET_BEFORE: SqlStatement = {
  name: 'period-wallet-before',
  text: `select ${toBalanceBeforeSql('$1')} as "availableCents", ${toBalanceBeforeSql('$2')} as "owedCents"`,
};
const WALLET_BETWEEN = 'select l.* from own cross join lateral ledger_lines_between(own.wallet, $3, $4) l';
const toDepositFeeSql = (transaction: string) =>
  `coalesce(${transaction}.amounts[array_position(${transaction}.account_ids, (select id from ledger_accounts where code = '${account.depositFee}'))], 0)`;
/** A chargeback of an empty wallet appears only as its debt, which then includes the fee. */
const WALLET: SqlStatement = {
  name: 'period-wallet',
  text: `with ${DEBT_LINES} select ${LINE_COLUMNS}, ${toDepositFeeSql('t')} + coalesce((select ${toDepositFeeSql('b')} from ledger_transactions b
        where m.kind = 'debt' and b.id = r.reverses_id and (select wallet from own) <> all (b.account_ids)), 0) as "feeCents"
    from (${toWalletLinesSql(WALLET_BETWEEN)} union all ${UNPAIRED_DEBT_LINES}) m ${LINE_JOINS} where t.occurred_at >= $3 and t.occurred_at < $4 order by m.line, m.owed_line`,
};

async function* readWalletMovements(db: Executor, values: unknown[]) {
  for await (const rows of readInBatches<LineRow & { feeCents: number }>(db, WALLET, values))
    yield await toStatementLines(db, rows);
}

export async function getWalletPeriod(db: Executor, fanId: string, { from, to }: UtcPeriod): Promise<WalletPeriod> {
  const own = toWalletCodes(fanId);
  const [opening] = await db.run<WalletBalances>(WALLET_BEFORE, [...own, from]);
  const [closing] = await db.run<WalletBalances>(WALLET_BEFORE, [...own, to]);
  if (!opening || !closing) throw new Error('sums always return a row');
  return { opening, closing, movements: readWalletMovements(db, [...own, from, to]) };
}

/** Money of a creator. `owedCents` is debt from refunds after the money was paid out. */
export type EarningsBalances = {
  pendingCents: number;
  availableCents: number;
  reservedCents: number;
  owedCents: number;
};

export function sumEarnings({ pendingCents, availableCents, reservedCents, owedCents }: EarningsBalances): number {
  return pendingCents + availableCents + reservedCents - owedCents;
}

export type EarningsMovement = EarningsBalances & {
  id: string;
  at: Date;
  title: string;
  sale: Sale | null;
  /** The signed gross amount that fans paid. Equals the sum of all parts when no fan paid. */
  grossCents: number;
};

export type EarningsPeriod = {
  opening: EarningsBalances;
  closing: EarningsBalances;
  movements: AsyncIterable<EarningsMovement[]>;
};

const OWN_ACCOUNTS = `select (select id from ledger_accounts where code = $2) as pending, (select id from ledger_accounts where code = $3) as available,
  (select id from ledger_accounts where code = $4) as reserved, (select id from ledger_accounts where code = $5) as owed`;
const toRefundsSql = (
  until: string,
) => `select s.id, b.id as refund_id from sales s join ledger_reversals r on r.reverses_id = s.id
  join ledger_transactions b on b.id = r.transaction_id and b.kind = 'sale_refund'
  where s.creator_id = $1 and s.reversed_cents > 0 and s.refunded_at >= $6 and s.created_at < ${until}`;
/** The stored sums deduct refunds on the day of the sale, so refunds after the period start are added back. */
const BALANCES_BEFORE: SqlStatement = {
  name: 'period-parts-before',
  text: `with own as materialized (${OWN_ACCOUNTS})
    select (coalesce((select sum(amount_cents) from ledger_received(own.pending, '-infinity', ($6::timestamptz at time zone 'UTC')::date)), 0)
        + coalesce((select sum(t.amounts[array_position(t.account_ids, own.pending)]) from (${toRefundsSql('$6')}) s join ledger_transactions t on t.id = s.refund_id
          where t.occurred_at >= $6), 0))::bigint as "pendingCents",
      ledger_balance_before(own.available, $6) as "availableCents", ledger_balance_before(own.reserved, $6) as "reservedCents",
      ledger_balance_before(own.owed, $6) as "owedCents"
    from own`,
};

const MOVED = `coalesce(-t.amounts[array_position(t.account_ids, own.pending)], 0) as pending, coalesce(-t.amounts[array_position(t.account_ids, own.available)], 0) as available,
  coalesce(-t.amounts[array_position(t.account_ids, own.reserved)], 0) as reserved, coalesce(t.amounts[array_position(t.account_ids, own.owed)], 0) as owed`;
const MOVEMENTS: SqlStatement = {
  name: 'period-movements',
  text: `with own as materialized (${OWN_ACCOUNTS})
    select m.id, m.at, coalesce(k.title, m.kind) as title, m.sale_id as "saleId", m.gross as "grossCents", m.pending as "pendingCents",
      m.available as "availableCents", m.reserved as "reservedCents", m.owed as "owedCents"
    from (
      select s.id, s.created_at as at, s.kind, s.id as sale_id, s.gross_cents as gross, s.net_cents as pending, 0::bigint as available, 0::bigint as reserved, 0::bigint as owed
        from ledger_kinds k, lateral (select * from sales where creator_id = $1 and sales.kind = k.kind and created_at >= $6 and created_at < $7) s
        where k.fee_account is not null
      union all select t.id, t.occurred_at, t.kind, s.id, -(select sum(a) from unnest(t.amounts::bigint[]) a where a > 0)::bigint, ${MOVED}
        from own, (${toRefundsSql('$7')}) s join ledger_transactions t on t.id = s.refund_id where t.occurred_at >= $6 and t.occurred_at < $7
      union all select t.id, t.occurred_at, t.kind, r.reverses_id, null, ${MOVED}
        from own, (select distinct l.transaction_id from own cross join lateral unnest(array[own.available, own.reserved, own.owed]) a (id)
          cross join lateral ledger_lines_between(a.id, $6, $7) l) l
        join ledger_transactions t on t.id = l.transaction_id left join ledger_reversals r on r.transaction_id = t.id) m
    left join ledger_kinds k on k.kind = m.kind order by m.at, m.id`,
};
type MovementRow = Omit<EarningsMovement, 'sale' | 'grossCents'> & { saleId: string | null; grossCents: number | null };

async function* readEarningsMovements(db: Executor, values: unknown[]) {
  for await (const rows of readInBatches<MovementRow>(db, MOVEMENTS, values)) {
    const rowSales = await listSalesByIds(
      db,
      rows.flatMap(({ saleId }) => saleId ?? []),
    );
    const sales = new Map(rowSales.map((sale) => [sale.id, sale]));
    yield rows.map(({ saleId, grossCents, ...row }) => ({
      ...row,
      grossCents: grossCents ?? sumEarnings(row),
      sale: sales.get(saleId ?? '') ?? null,
    }));
  }
}

export async function getEarningsPeriod(
  db: Executor,
  creatorId: string,
  { from, to }: UtcPeriod,
): Promise<EarningsPeriod> {
  const own = [
    creatorId,
    account.pending(creatorId),
    account.available(creatorId),
    account.reserved(creatorId),
    account.receivable(creatorId),
  ];
  const [opening] = await db.run<EarningsBalances>(BALANCES_BEFORE, [...own, from]);
  const [closing] = await db.run<EarningsBalances>(BALANCES_BEFORE, [...own, to]);
  if (!opening || !closing) throw new Error('sums always return a row');
  return { opening, closing, movements: readEarningsMovements(db, [...own, from, to]) };
}
