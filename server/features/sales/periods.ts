/**
 * Statements of a period for fans and creators, oldest first. Requires a snapshot. Opening balance, movements and
 * closing balance are read independently, so that their sum is a proof.
 */
import type { Executor, Statement } from '../../kernel/db.ts';
import { inPages } from '../../kernel/pages.ts';
import { account } from '../ledger/index.ts';
import { findSales, type Sale } from './lists.ts';
import {
  ABOUT,
  ALONE,
  codesOf,
  type LineRow,
  linesOf,
  OWED,
  SHOWN,
  type StatementLine,
  together,
} from './statement.ts';

/** Midnights in UTC, `to` exclusive. */
export type Period = { from: Date; to: Date };

/** `feeCents` is the fee that the fan paid in addition: negative, or positive when it was refunded. */
export type WalletMovement = StatementLine & { feeCents: number };

export type WalletParts = { availableCents: number; owedCents: number };

export type WalletPeriod = {
  opening: WalletParts;
  closing: WalletParts;
  movements: AsyncIterable<WalletMovement[]>;
};

const before = (code: string) => `ledger_balance_before((select id from ledger_accounts where code = ${code}), $3)`;
const WALLET_BEFORE: Statement = {
  name: 'period-wallet-before',
  text: `select ${before('$1')} as "availableCents", ${before('$2')} as "owedCents"`,
};
const WALLET_BETWEEN = 'select l.* from own cross join lateral ledger_lines_between(own.wallet, $3, $4) l';
const feeOf = (transaction: string) =>
  `coalesce(${transaction}.amounts[array_position(${transaction}.account_ids, (select id from ledger_accounts where code = '${account.depositFee}'))], 0)`;
/** A chargeback of an empty wallet appears only as its debt, which then includes the fee. */
const WALLET: Statement = {
  name: 'period-wallet',
  text: `with ${OWED} select ${SHOWN}, ${feeOf('t')} + coalesce((select ${feeOf('b')} from ledger_transactions b
        where m.kind = 'debt' and b.id = r.reverses_id and (select wallet from own) <> all (b.account_ids)), 0) as "feeCents"
    from (${together(WALLET_BETWEEN)} union all ${ALONE}) m ${ABOUT} where t.occurred_at >= $3 and t.occurred_at < $4 order by m.line, m.owed_line`,
};

async function* walletMovements(db: Executor, values: unknown[]) {
  for await (const rows of inPages<LineRow & { feeCents: number }>(db, WALLET, values)) yield await linesOf(db, rows);
}

export async function walletPeriod(db: Executor, fanId: string, { from, to }: Period): Promise<WalletPeriod> {
  const own = codesOf(fanId);
  const [opening] = await db.run<WalletParts>(WALLET_BEFORE, [...own, from]);
  const [closing] = await db.run<WalletParts>(WALLET_BEFORE, [...own, to]);
  if (!opening || !closing) throw new Error('sums always answer a row');
  return { opening, closing, movements: walletMovements(db, [...own, from, to]) };
}

/** Money of a creator. `owedCents` is debt from refunds after the money was paid out. */
export type EarningsParts = { pendingCents: number; availableCents: number; reservedCents: number; owedCents: number };

export function earningsTotal({ pendingCents, availableCents, reservedCents, owedCents }: EarningsParts): number {
  return pendingCents + availableCents + reservedCents - owedCents;
}

export type EarningsMovement = EarningsParts & {
  id: string;
  at: Date;
  title: string;
  sale: Sale | null;
  /** The signed gross amount that fans paid. Equals the sum of all parts when no fan paid. */
  grossCents: number;
};

export type EarningsPeriod = {
  opening: EarningsParts;
  closing: EarningsParts;
  movements: AsyncIterable<EarningsMovement[]>;
};

const OWN = `select (select id from ledger_accounts where code = $2) as pending, (select id from ledger_accounts where code = $3) as available,
  (select id from ledger_accounts where code = $4) as reserved, (select id from ledger_accounts where code = $5) as owed`;
const givenBack = (
  until: string,
) => `select s.id, b.id as refund_id from sales s join ledger_reversals r on r.reverses_id = s.id
  join ledger_transactions b on b.id = r.transaction_id and b.kind = 'sale_refund'
  where s.creator_id = $1 and s.reversed_cents > 0 and s.given_back_at >= $6 and s.created_at < ${until}`;
/** The stored sums deduct refunds on the day of the sale, so refunds after the period start are added back. */
const PARTS_BEFORE: Statement = {
  name: 'period-parts-before',
  text: `with own as materialized (${OWN})
    select (coalesce((select sum(amount_cents) from ledger_received(own.pending, '-infinity', ($6::timestamptz at time zone 'UTC')::date)), 0)
        + coalesce((select sum(t.amounts[array_position(t.account_ids, own.pending)]) from (${givenBack('$6')}) s join ledger_transactions t on t.id = s.refund_id
          where t.occurred_at >= $6), 0))::bigint as "pendingCents",
      ledger_balance_before(own.available, $6) as "availableCents", ledger_balance_before(own.reserved, $6) as "reservedCents",
      ledger_balance_before(own.owed, $6) as "owedCents"
    from own`,
};

const MOVED = `coalesce(-t.amounts[array_position(t.account_ids, own.pending)], 0) as pending, coalesce(-t.amounts[array_position(t.account_ids, own.available)], 0) as available,
  coalesce(-t.amounts[array_position(t.account_ids, own.reserved)], 0) as reserved, coalesce(t.amounts[array_position(t.account_ids, own.owed)], 0) as owed`;
const MOVEMENTS: Statement = {
  name: 'period-movements',
  text: `with own as materialized (${OWN})
    select m.id, m.at, coalesce(k.title, m.kind) as title, m.sale_id as "saleId", m.gross as "grossCents", m.pending as "pendingCents",
      m.available as "availableCents", m.reserved as "reservedCents", m.owed as "owedCents"
    from (
      select s.id, s.created_at as at, s.kind, s.id as sale_id, s.gross_cents as gross, s.net_cents as pending, 0::bigint as available, 0::bigint as reserved, 0::bigint as owed
        from ledger_kinds k, lateral (select * from sales where creator_id = $1 and sales.kind = k.kind and created_at >= $6 and created_at < $7) s
        where k.fee_account is not null
      union all select t.id, t.occurred_at, t.kind, s.id, -(select sum(a) from unnest(t.amounts::bigint[]) a where a > 0)::bigint, ${MOVED}
        from own, (${givenBack('$7')}) s join ledger_transactions t on t.id = s.refund_id where t.occurred_at >= $6 and t.occurred_at < $7
      union all select t.id, t.occurred_at, t.kind, r.reverses_id, null, ${MOVED}
        from own, (select distinct l.transaction_id from own cross join lateral unnest(array[own.available, own.reserved, own.owed]) a (id)
          cross join lateral ledger_lines_between(a.id, $6, $7) l) l
        join ledger_transactions t on t.id = l.transaction_id left join ledger_reversals r on r.transaction_id = t.id) m
    left join ledger_kinds k on k.kind = m.kind order by m.at, m.id`,
};
type MovementRow = Omit<EarningsMovement, 'sale' | 'grossCents'> & { saleId: string | null; grossCents: number | null };

async function* earningsMovements(db: Executor, values: unknown[]) {
  for await (const rows of inPages<MovementRow>(db, MOVEMENTS, values)) {
    const found = await findSales(
      db,
      rows.flatMap(({ saleId }) => saleId ?? []),
    );
    const sales = new Map(found.map((sale) => [sale.id, sale]));
    yield rows.map(({ saleId, grossCents, ...row }) => ({
      ...row,
      grossCents: grossCents ?? earningsTotal(row),
      sale: sales.get(saleId ?? '') ?? null,
    }));
  }
}

export async function earningsPeriod(db: Executor, creatorId: string, { from, to }: Period): Promise<EarningsPeriod> {
  const own = [
    creatorId,
    account.pending(creatorId),
    account.available(creatorId),
    account.reserved(creatorId),
    account.receivable(creatorId),
  ];
  const [opening] = await db.run<EarningsParts>(PARTS_BEFORE, [...own, from]);
  const [closing] = await db.run<EarningsParts>(PARTS_BEFORE, [...own, to]);
  if (!opening || !closing) throw new Error('sums always answer a row');
  return { opening, closing, movements: earningsMovements(db, [...own, from, to]) };
}
