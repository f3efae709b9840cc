/** Posts transactions and reads exact balances. Other modules write to the ledger only through it. */
import { createHash } from 'node:crypto';
import type { Cents } from '@stagedoor/contract/shared/money.ts';
import { asCents } from '@stagedoor/contract/shared/money.ts';
import type { Executor, SqlStatement } from '../../../platform/database/db.ts';
import { translateRefusals } from './errors.ts';

/** Account codes. The SQL function ledger_account() defines every valid form. */
export const account = {
  wallet: (fanId: string) => `liab:fan:${fanId}:wallet`,
  hold: (fanId: string) => `liab:fan:${fanId}:call_hold`,
  pending: (creatorId: string) => `liab:creator:${creatorId}:pending`,
  available: (creatorId: string) => `liab:creator:${creatorId}:available`,
  owed: (fanId: string) => `asset:fan:${fanId}:receivable`,
  reserved: (creatorId: string) => `liab:creator:${creatorId}:payout_reserved`,
  receivable: (creatorId: string) => `asset:creator:${creatorId}:receivable`,
  affiliatePending: (affiliateId: string) => `liab:affiliate:${affiliateId}:pending`,
  affiliateAvailable: (affiliateId: string) => `liab:affiliate:${affiliateId}:available`,
  affiliateReceivable: (affiliateId: string) => `asset:affiliate:${affiliateId}:receivable`,
  clearing: (provider: string) => `asset:processor:${provider}:clearing`,
  bank: 'asset:bank:operating',
  depositFee: 'rev:deposit_fee',
  payoutFee: 'rev:payout_fee',
  commissions: 'exp:affiliate',
  chargebackLoss: 'exp:chargeback_loss',
  chargebackFee: 'exp:chargeback_fee',
  processorFee: 'exp:processor_fee',
} as const;

/** One leg: positive cents are a debit, negative a credit. A leg of zero is dropped. */
export type Leg = readonly [code: string, cents: number];

/** The actor, their idempotency key and a hash of the request. The same values return the same transaction. */
export type LedgerOperation = { actorId: string; operationId: string; requestHash: Buffer };

/** The external event behind a posting. The same event returns the same transaction. */
export type ExternalEvent = { provider: string; ref: string | null; eventKey: string };

export type Posting = {
  kind: string;
  legs: readonly Leg[];
  operation?: LedgerOperation | undefined;
  external?: ExternalEvent | undefined;
  reversesId?: string;
  /** Details to retain permanently, up to 2 kB. */
  metadata?: Record<string, string | number | null>;
  at?: Date | undefined;
  /** The kind and UTC day (YYYY-MM-DD) of the sale that this reverses, for the daily sums. */
  tag?: string;
  day?: string;
  items?: number;
};

export type PostedTransaction = { transactionId: string; isReplayed: boolean };

export function hashRequest(request: Record<string, unknown>): Buffer {
  const keys = Object.keys(request).sort();
  return createHash('sha256')
    .update(JSON.stringify(keys.map((key) => [key, request[key] ?? null])))
    .digest();
}

const POST: SqlStatement = {
  name: 'ledger-post',
  text: `select transaction_id as "transactionId", replayed as "isReplayed" from ledger_post($1, $2, $3::bigint[], $4::uuid, $5::uuid, $6::bytea,
    $7, $8, $9, $10::uuid, $11::jsonb, $12::timestamptz, $13, $14::date, $15)`,
};

/**
 * Posts a balanced transaction. Throws INSUFFICIENT_FUNDS, NOT_FOUND (unknown form of account code), CONFLICT
 * (operation id reused). A kind without a row and a leg that its kind does not permit are bugs.
 */
export async function postTransaction(db: Executor, posting: Posting): Promise<PostedTransaction> {
  const { operation, external } = posting;
  const [posted] = await translateRefusals(
    db.run<PostedTransaction>(POST, [
      posting.kind,
      posting.legs.map(([code]) => code),
      posting.legs.map(([, cents]) => asCents(cents)),
      operation?.actorId ?? null,
      operation?.operationId ?? null,
      operation?.requestHash ?? null,
      external?.provider ?? null,
      external?.ref ?? null,
      external?.eventKey ?? null,
      posting.reversesId ?? null,
      posting.metadata ? JSON.stringify(posting.metadata) : null,
      posting.at ?? null,
      posting.tag ?? null,
      posting.day ?? null,
      posting.items ?? 0,
    ]),
  );
  if (!posted) throw new Error('ledger_post answered nothing');
  return posted;
}

const BALANCE: SqlStatement = { name: 'ledger-balance', text: 'select ledger_balance($1) as cents' };

/** Returns the exact balance on the normal side of the account, or 0 when it does not exist. */
export async function getBalance(db: Executor, code: string): Promise<Cents> {
  const [row] = await db.run<{ cents: number }>(BALANCE, [code]);
  return asCents(row?.cents ?? 0);
}

const SUM_INFLOWS: SqlStatement = { name: 'ledger-roll', text: 'select ledger_sum_inflows($1) as count' };

/**
 * Rolls up to `limit` inflow rows into the sums and returns how many. Run it every few seconds, and repeat while it
 * returns more than 0.
 */
export async function sumInflows(db: Executor, limit = 20_000): Promise<number> {
  const [row] = await db.run<{ count: number }>(SUM_INFLOWS, [limit]);
  return row?.count ?? 0;
}

const OPERATION: SqlStatement = {
  name: 'ledger-operation',
  text: 'select id from ledger_transactions where operation_id = $1 and actor_id = $2',
};

/** Returns the transaction of an operation, or undefined. Call it under the first lock that the operation takes. */
export async function findOperation(db: Executor, actorId: string, operationId: string): Promise<string | undefined> {
  const [row] = await db.run<{ id: string }>(OPERATION, [operationId, actorId]);
  return row?.id;
}
