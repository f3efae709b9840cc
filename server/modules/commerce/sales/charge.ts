import { asCents, type Cents } from '@stagedoor/contract/shared/money.ts';
import type { PriceKind } from '@stagedoor/contract/shared/prices.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../platform/database/db.ts';
import {
  account,
  ConcurrentOperationError,
  hashRequest,
  translateRefusals,
  type WalletBalance,
} from '../../ledger/ledger/index.ts';
import { toPriceCheckValues, translatePriceRefusal } from './prices.ts';

declare module '../../../platform/events/event-types.ts' {
  interface EventMap {
    'sale.made': {
      transactionId: string;
      kind: string;
      fanId: string;
      creatorId: string;
      subjectId: string | null;
      grossCents: number;
      netCents: number;
      /** The balance of the fan after the sale and its statement line. Events of the previous release have no line. */
      balanceCents: number;
      balanceLine?: number;
      tipType: string | null;
      at: string;
    };
  }
}

export type ChargeInput = {
  kind: string;
  fanId: string;
  creatorId: string;
  grossCents: number;
  operationId: string;
  /** The purchased item, required for kinds that a fan buys once. For a tip on a post, the post. */
  subjectId?: string | undefined;
  note?: string;
  tipType?: string;
  /** The client request when it contains no price. A retry is recognized by it even if the price changed in between. */
  request?: Record<string, unknown>;
  at?: Date | undefined;
  /**
   * The price limits to apply. Beyond them, VALIDATION on `amount` is thrown. Omit it for a price that was set before.
   */
  priceKind?: PriceKind;
};

export type ChargeResult = WalletBalance & {
  transactionId: string;
  /**
   * `made`: charged now. `replayed`: the stored result of the same operation. `owned`: bought before, nothing was
   * charged.
   */
  outcome: 'made' | 'replayed' | 'owned';
  isCreated: boolean;
  grossCents: Cents;
  feeCents: Cents;
  netCents: Cents;
  feePercent: number;
  clearsAt: Date;
  createdAt: Date;
};

const createChargeStatement = (name: string, gross: string): SqlStatement => ({
  name,
  text: `select transaction_id, outcome, balance_cents, fee_cents, fee_basis_points, gross_cents, clears_at, created_at, line from sales_charge(
    $1, $2::uuid, $3::uuid, ${gross}, $5::uuid, $6::bytea, $7::uuid, $8, $9, $10::timestamptz, $11)`,
});
const CHARGE = createChargeStatement('sales-charge', '$4::bigint');
const CHARGE_WITHIN = createChargeStatement('sales-charge-within', 'sales_require_price($12, $4::bigint, $13, $14)');

type Row = {
  transaction_id: string;
  outcome: ChargeResult['outcome'];
  balance_cents: number;
  gross_cents: number;
  fee_cents: number;
  fee_basis_points: number;
  clears_at: Date;
  created_at: Date;
  line: number;
};

/**
 * Charges `grossCents` to the wallet in the transaction of the caller. Posts the platform fee (current rate, rounded
 * half up) and the pending share of the creator, stores the sale and emits `sale.made`.
 * Throws VALIDATION (beyond the price limits), INSUFFICIENT_FUNDS, FORBIDDEN (spending blocked, or over a limit),
 * NOT_FOUND (no such creator), CONFLICT (the operation id was used for another request).
 */
export async function chargeFan(tx: DbTransaction, sale: ChargeInput): Promise<ChargeResult> {
  return runCharge(tx, sale, true);
}

/**
 * Same as {@link chargeFan} in a single round trip that is committed on return. The SQL function writes `sale.made` into
 * the outbox, so the caller must call `ctx.events.wake()` when `isCreated`.
 */
export async function chargeFanNow(db: Executor, sale: ChargeInput): Promise<ChargeResult> {
  try {
    // Retries are rare, so an earlier result is looked up only after a failure.
    return await runCharge(db, sale, false);
  } catch (error) {
    if (!(error instanceof ConcurrentOperationError)) throw error;
    return await runCharge(db, sale, true);
  }
}

function hashChargeRequest({
  kind,
  creatorId,
  grossCents,
  subjectId,
  note = '',
  tipType,
  request,
}: ChargeInput): Buffer {
  const terms = { kind, creatorId, subjectId, note, tipType };
  return hashRequest({ ...terms, ...(request ?? { grossCents }) });
}

const REPLAY: SqlStatement = {
  name: 'sales-replay',
  text: `select s.id as transaction_id, 'replayed' as outcome, l.balance_cents, s.gross_cents, s.fee_cents, s.fee_basis_points, s.clears_at,
      s.created_at, l.line
    from ledger_transactions t join sales s on s.id = t.id
    join ledger_accounts a on a.code = $4
    join lateral (select balance_cents, line from ledger_lines where account_id = a.id and transaction_id = s.id order by line desc limit 1) l on true
    where t.operation_id = $1 and t.actor_id = $2 and t.request_hash = $3`,
};

/**
 * Returns the result of an earlier identical request. Callers check it before they refuse a request that may already be
 * charged.
 */
export async function findCharge(db: Executor, sale: ChargeInput): Promise<ChargeResult | undefined> {
  const { operationId, fanId } = sale;
  const [row] = await db.run<Row>(REPLAY, [operationId, fanId, hashChargeRequest(sale), account.wallet(fanId)]);
  return row && toChargeResult(row);
}

async function runCharge(db: Executor, sale: ChargeInput, checksEarlier: boolean): Promise<ChargeResult> {
  const {
    kind,
    fanId,
    creatorId,
    grossCents,
    operationId,
    subjectId = null,
    note = '',
    tipType = null,
    priceKind,
  } = sale;
  const terms = [
    kind,
    fanId,
    creatorId,
    asCents(grossCents),
    operationId,
    hashChargeRequest(sale),
    subjectId,
    note,
    tipType,
    sale.at ?? null,
    checksEarlier,
  ];
  const [row] = await translateRefusals(
    priceKind === undefined
      ? db.run<Row>(CHARGE, terms)
      : translatePriceRefusal(
          priceKind,
          'amount',
          db.run<Row>(CHARGE_WITHIN, [...terms, ...toPriceCheckValues(priceKind)]),
        ),
  );
  if (!row) throw new Error('sales_charge returned no row');
  return toChargeResult(row);
}

function toChargeResult(row: Row): ChargeResult {
  return {
    transactionId: row.transaction_id,
    outcome: row.outcome,
    isCreated: row.outcome === 'made',
    balanceCents: asCents(row.balance_cents),
    balanceLine: row.line,
    grossCents: asCents(row.gross_cents),
    feeCents: asCents(row.fee_cents),
    netCents: asCents(row.gross_cents - row.fee_cents),
    feePercent: row.fee_basis_points / 100,
    clearsAt: row.clears_at,
    createdAt: row.created_at,
  };
}
