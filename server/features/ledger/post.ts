/** Posting to the ledger and reading exact balances: the only way other rooms' money reaches the ledger's tables. */
import { createHash } from 'node:crypto';
import type { Cents } from '@stagedoor/contract/atoms/money.ts';
import { asCents } from '@stagedoor/contract/atoms/money.ts';
import type { Executor, Statement } from '../../kernel/db.ts';
import { refusing } from './errors.ts';

/** Codes of accounts (reference/ledger.md); the SQL function ledger_account() knows every shape. */
export const account = {
  wallet: (fanId: string) => `liab:fan:${fanId}:wallet`,
  hold: (fanId: string) => `liab:fan:${fanId}:call_hold`,
  pending: (creatorId: string) => `liab:creator:${creatorId}:pending`,
  available: (creatorId: string) => `liab:creator:${creatorId}:available`,
  /** What a fan owes. */
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

/** One leg: positive cents debit, negative cents credit; zero is left out. */
export type Leg = readonly [code: string, cents: number];

/** Who asks, their id for it, and a hash of what they ask: the same again gives the same transaction. */
export type Operation = { actorId: string; operationId: string; requestHash: Buffer };

/** The outside event a posting answers to; the same event again gives the same transaction. */
export type External = { provider: string; ref: string | null; eventKey: string };

export type Posting = {
  /** A row of `ledger_kinds`, which says what legs it may have. */
  kind: string;
  legs: readonly Leg[];
  operation?: Operation | undefined;
  external?: External | undefined;
  reversesId?: string;
  /** Small facts worth keeping for ever; at most 2 kB. */
  metadata?: Record<string, string | number | null>;
  at?: Date | undefined;
  /** For daily sums of what comes in: the kind and UTC day (YYYY-MM-DD) of the sale that this takes back. */
  tag?: string;
  day?: string;
  /** 1 when it makes a sale. */
  items?: number;
};

export type Posted = { transactionId: string; isReplayed: boolean };

/** Hash of a request for {@link Operation}: equal requests, whatever the order of their keys, give equal hashes. */
export function hashRequest(request: Record<string, unknown>): Buffer {
  const keys = Object.keys(request).sort();
  return createHash('sha256')
    .update(JSON.stringify(keys.map((key) => [key, request[key] ?? null])))
    .digest();
}

const POST: Statement = {
  name: 'ledger-post',
  text: `select transaction_id as "transactionId", replayed as "isReplayed" from ledger_post($1, $2, $3::bigint[], $4::uuid, $5::uuid, $6::bytea,
    $7, $8, $9, $10::uuid, $11::jsonb, $12::timestamptz, $13, $14::date, $15)`,
};

/**
 * Posts a balanced transaction. Throws INSUFFICIENT_FUNDS, NOT_FOUND (no such account shape), CONFLICT (operation id reused);
 * a kind without a row, or a leg that its row does not permit, is a bug.
 */
export async function post(db: Executor, posting: Posting): Promise<Posted> {
  const { operation, external } = posting;
  const [posted] = await refusing(
    db.run<Posted>(POST, [
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

const BALANCE: Statement = { name: 'ledger-balance', text: 'select ledger_balance($1) as cents' };

/** The exact balance of an account on its normal side; 0 when it does not exist yet. */
export async function balanceOf(db: Executor, code: string): Promise<Cents> {
  const [row] = await db.run<{ cents: number }>(BALANCE, [code]);
  return asCents(row?.cents ?? 0);
}

const ROLL: Statement = { name: 'ledger-roll', text: 'select ledger_roll($1) as count' };

/** Sums up what came in, at most `limit` rows at once; answers how many. Run it every few seconds while it finds some. */
export async function rollInflows(db: Executor, limit = 20_000): Promise<number> {
  const [row] = await db.run<{ count: number }>(ROLL, [limit]);
  return row?.count ?? 0;
}

const OPERATION: Statement = {
  name: 'ledger-operation',
  text: 'select id from ledger_transactions where operation_id = $1 and actor_id = $2',
};

/** The transaction that an operation made, if it did already. Ask under the lock that the operation takes first. */
export async function findOperation(db: Executor, actorId: string, operationId: string): Promise<string | undefined> {
  const [row] = await db.run<{ id: string }>(OPERATION, [operationId, actorId]);
  return row?.id;
}
