/**
 * Holds set money aside before the price is known. They can be extended and are resolved once, by capture or release.
 */
import { randomUUID } from 'node:crypto';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { asCents, type Cents } from '@stagedoor/contract/shared/money.ts';
import type { Database, DbTransaction, Executor, SqlStatement } from '../../../platform/database/db.ts';
import { settleDebt } from './debts.ts';
import { toLedgerRefusal } from './errors.ts';
import './events.ts';
import { account, findOperation, hashRequest, type Leg, type PostedTransaction, postTransaction } from './post.ts';
import * as texts from './texts.ts';
import { lockWallet, type WalletBalance } from './transaction-legs.ts';

export type Hold = {
  id: string;
  fanId: string;
  purpose: string;
  amountCents: Cents;
  capturedCents: Cents;
  state: 'held' | 'captured' | 'released';
  expiresAt: Date;
};

export type NewHold = {
  fanId: string;
  amountCents: number;
  purpose: string;
  operationId: string;
  expiresAt: Date;
  /** The daily limit of the operator, unless the fan has an own limit. */
  defaultLimitCents: number;
  at: Date;
};

const COLUMNS = `id, fan_id as "fanId", purpose, amount_cents as "amountCents", captured_cents as "capturedCents", state, expires_at as "expiresAt"`;
const FIND: SqlStatement = { name: 'hold-find', text: `select ${COLUMNS} from ledger_holds where id = $1` };
const LOCK: SqlStatement = { name: 'hold-lock', text: `select ${COLUMNS} from ledger_holds where id = $1 for update` };
const INSERT: SqlStatement = {
  name: 'hold-insert',
  text: `insert into ledger_holds (id, fan_id, purpose, amount_cents, spent_cents, spent_day, expires_at, created_at)
    values ($1, $2, $3, $4, $4, $5::date, $6, $7) returning ${COLUMNS}`,
};
const EXTEND: SqlStatement = {
  name: 'hold-extend',
  text: `update ledger_holds set amount_cents = amount_cents + $2, spent_cents = case when spent_day = $3::date then spent_cents else 0 end + $2,
    spent_day = $3::date, expires_at = greatest(expires_at, $4) where id = $1 returning ${COLUMNS}`,
};
const RESOLVE: SqlStatement = {
  name: 'hold-resolve',
  text: `update ledger_holds set state = $2, captured_cents = $3, resolved_at = $4 where id = $1 returning ${COLUMNS}, spent_day::text as "spentDay",
    least(spent_cents, amount_cents - captured_cents) as "unspentCents", (created_at at time zone 'UTC')::date::text as "createdDay"`,
};
const REDUCE: SqlStatement = {
  name: 'hold-reduce',
  text: `update ledger_holds set amount_cents = amount_cents - $2, spent_cents = greatest(0, spent_cents - $2) where id = $1
    returning ${COLUMNS}, spent_day::text as "spentDay", least(old.spent_cents, $2) as "unspentCents",
      (created_at at time zone 'UTC')::date::text as "createdDay"`,
};
const ADD_SPENDING: SqlStatement = {
  name: 'hold-spend',
  text: `update ledger_accounts set spent_cents = case when spent_day = $3::date then spent_cents else 0 end + $2,
    week_spent_cents = case when spent_day >= date_trunc('week', $3::date)::date then week_spent_cents else 0 end + $2,
    month_spent_cents = case when spent_day >= date_trunc('month', $3::date)::date then month_spent_cents else 0 end + $2,
    spent_day = $3::date where code = $1`,
};
/**
 * Deducts `$2` from the spending of day `$3`. If the hold began in the same week or month, the whole released part
 * (`$4`) is deducted from that period.
 */
const DEDUCT_SPENDING: SqlStatement = {
  name: 'hold-unspend',
  text: `update ledger_accounts set spent_cents = case when spent_day = $3::date then greatest(0, spent_cents - $2) else spent_cents end,
    week_spent_cents = case when spent_day < date_trunc('week', $3::date)::date + 7
      then greatest(0, week_spent_cents - case when $5::date >= date_trunc('week', $3::date)::date then $4 else $2 end) else week_spent_cents end,
    month_spent_cents = case when spent_day < (date_trunc('month', $3::date) + interval '1 month')::date
      then greatest(0, month_spent_cents - case when $5::date >= date_trunc('month', $3::date)::date then $4 else $2 end) else month_spent_cents end
    where code = $1 and spent_day >= $3::date`,
};
const REFUSAL: SqlStatement = {
  name: 'hold-refusal',
  text: `select code, coalesce(detail, '') as detail from ledger_spending_refusal($1, $2, $3, $4) where code is not null`,
};
const DUE: SqlStatement = {
  name: 'hold-due',
  text: `select id from ledger_holds where state = 'held' and expires_at <= $1 order by expires_at limit $2`,
};

const toUtcDay = (at: Date) => at.toISOString().slice(0, 10);

export type SpendingRequest = { fanId: string; amountCents: number; defaultLimitCents: number; at: Date };

async function requireSpendable(
  tx: DbTransaction,
  { fanId, amountCents, defaultLimitCents, at }: SpendingRequest,
): Promise<void> {
  const [refusal] = await tx.run<{ code: string; detail: string }>(REFUSAL, [
    fanId,
    amountCents,
    defaultLimitCents,
    at,
  ]);
  const error = refusal && toLedgerRefusal(refusal.code, refusal.detail);
  if (error) throw error;
}

/** Checks everything except the balance. Throws FORBIDDEN (spending blocked, self-exclusion or over a limit). */
export async function requireAllowedSpending(tx: DbTransaction, request: SpendingRequest): Promise<void> {
  try {
    await requireSpendable(tx, request);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'INSUFFICIENT_FUNDS') throw error;
  }
}

async function requireHold(rows: Promise<Hold[]>): Promise<Hold> {
  const [hold] = await rows;
  if (!hold) throw new AppError('NOT_FOUND');
  return hold;
}

/** Returns a hold without locking it. Throws NOT_FOUND. */
export function getHold(db: Executor, id: string): Promise<Hold> {
  return requireHold(db.run<Hold>(FIND, [id]));
}

/**
 * Sets money aside from the wallet and counts it toward the spending of the day. Idempotent per operation id.
 * Throws INSUFFICIENT_FUNDS, FORBIDDEN (spending blocked, self-exclusion or over a limit), CONFLICT (operation id
 * reused).
 */
export async function placeHold(tx: DbTransaction, hold: NewHold): Promise<Hold> {
  const { fanId, amountCents, purpose, operationId, expiresAt, at } = hold;
  await lockWallet(tx, fanId);
  const isKnown = (await findOperation(tx, fanId, operationId)) !== undefined;
  if (!isKnown) await requireSpendable(tx, hold);
  const posted = await moveToHold(
    tx,
    fanId,
    amountCents,
    'hold',
    { operationId, request: { purpose, amountCents } },
    at,
  );
  if (isKnown) return getHold(tx, posted.transactionId);
  await tx.run(ADD_SPENDING, [account.wallet(fanId), amountCents, toUtcDay(at)]);
  return requireHold(
    tx.run<Hold>(INSERT, [posted.transactionId, fanId, purpose, amountCents, toUtcDay(at), expiresAt, at]),
  );
}

function moveToHold(
  tx: DbTransaction,
  fanId: string,
  cents: number,
  kind: string,
  operation: { operationId: string; request: Record<string, unknown> },
  at: Date,
): Promise<PostedTransaction> {
  return postTransaction(tx, {
    kind,
    legs: [
      [account.wallet(fanId), asCents(cents)],
      [account.hold(fanId), -cents],
    ],
    operation: {
      actorId: fanId,
      operationId: operation.operationId,
      requestHash: hashRequest({ kind, ...operation.request }),
    },
    at,
  });
}

export type ExtendedHold = Hold & { transactionId: string };

/**
 * Adds money to a hold and moves its expiry. Idempotent per operation id.
 * Throws the errors of {@link placeHold}, and CONFLICT when the hold is already resolved.
 */
export async function extendHold(
  tx: DbTransaction,
  extension: {
    holdId: string;
    amountCents: number;
    operationId?: string;
    expiresAt: Date;
    defaultLimitCents: number;
    at: Date;
  },
): Promise<ExtendedHold> {
  const { holdId, amountCents, expiresAt, at, operationId = randomUUID() } = extension;
  const { fanId } = await getHold(tx, holdId);
  await lockWallet(tx, fanId);
  const hold = await requireHold(tx.run<Hold>(LOCK, [holdId]));
  const isKnown = (await findOperation(tx, fanId, operationId)) !== undefined;
  if (!isKnown && hold.state !== 'held') throw new AppError('CONFLICT', { message: texts.holdAlreadySettled });
  if (!isKnown) await requireSpendable(tx, { ...extension, fanId });
  const request = { holdId, amountCents };
  const { transactionId } = await moveToHold(tx, fanId, amountCents, 'hold_extend', { operationId, request }, at);
  if (isKnown) return { ...hold, transactionId };
  await tx.run(ADD_SPENDING, [account.wallet(fanId), amountCents, toUtcDay(at)]);
  return {
    ...(await requireHold(tx.run<Hold>(EXTEND, [holdId, amountCents, toUtcDay(at), expiresAt]))),
    transactionId,
  };
}

type ReleasedPart = { spentDay: string; createdDay: string; unspentCents: number };

/**
 * Returns a part of a hold to the wallet, which the caller spends in the same transaction. Something always stays held.
 * Throws CONFLICT when the hold is resolved or holds no more than the part.
 */
export async function reduceHold(
  tx: DbTransaction,
  { holdId, amountCents, at }: { holdId: string; amountCents: number; at: Date },
): Promise<ExtendedHold> {
  const { fanId } = await getHold(tx, holdId);
  await lockWallet(tx, fanId);
  const hold = await requireHold(tx.run<Hold>(LOCK, [holdId]));
  if (hold.state !== 'held') throw new AppError('CONFLICT', { message: texts.holdAlreadySettled });
  if (amountCents >= hold.amountCents) throw new AppError('CONFLICT', { message: texts.captureExceedsHold });
  const cents = asCents(amountCents);
  const legs: Leg[] = [
    [account.hold(fanId), cents],
    [account.wallet(fanId), -cents],
  ];
  const { transactionId } = await postTransaction(tx, { kind: 'hold_release', legs, at });
  const [reduced] = await tx.run<Hold & ReleasedPart>(REDUCE, [holdId, cents]);
  if (!reduced) throw new AppError('NOT_FOUND');
  await deductSpending(tx, fanId, reduced, cents);
  return { ...reduced, transactionId };
}

/** The newest part of a hold is released first. A part from another day does not reduce the spending of today. */
async function deductSpending(
  tx: DbTransaction,
  fanId: string,
  { unspentCents, spentDay, createdDay }: ReleasedPart,
  releasedCents: number,
): Promise<void> {
  await tx.run(DEDUCT_SPENDING, [account.wallet(fanId), unspentCents, spentDay, releasedCents, createdDay]);
}

export type HoldResolution = {
  holdId: string;
  /** The captured part in cents. The rest goes back to the wallet, and 0 releases the whole hold. */
  capturedCents: number;
  credits?: readonly Leg[];
  kind: string;
  items?: number;
  at: Date;
};

/** The balance is the one after the capture and after any debt was repaid from it. */
export type ResolvedHold = WalletBalance & { hold: Hold; transactionId: string };

/**
 * Resolves a hold once. When a capture and the expiry race, the second caller gets undefined and no money moves. Throws
 * NOT_FOUND, and CONFLICT when more is captured than held.
 */
export async function resolveHold(tx: DbTransaction, resolution: HoldResolution): Promise<ResolvedHold | undefined> {
  const { holdId, capturedCents, credits = [], kind, items = 0, at } = resolution;
  const { fanId } = await getHold(tx, holdId);
  await lockWallet(tx, fanId);
  const hold = await requireHold(tx.run<Hold>(LOCK, [holdId]));
  if (hold.state !== 'held') return undefined;
  if (capturedCents > hold.amountCents) throw new AppError('CONFLICT', { message: texts.captureExceedsHold });
  const restCents = hold.amountCents - asCents(capturedCents);
  const legs: Leg[] = [[account.hold(fanId), hold.amountCents], ...credits, [account.wallet(fanId), -restCents]];
  const { transactionId } = await postTransaction(tx, { kind, legs, items, at });
  const [resolved] = await tx.run<Hold & ReleasedPart>(RESOLVE, [
    holdId,
    capturedCents > 0 ? 'captured' : 'released',
    capturedCents,
    at,
  ]);
  if (!resolved) throw new AppError('NOT_FOUND');
  await deductSpending(tx, fanId, resolved, restCents);
  return { hold: resolved, transactionId, ...(await settleDebt(tx, fanId, at)) };
}

/** Releases a hold to the wallet. Returns false when it was already resolved. */
export async function releaseHold(tx: DbTransaction, holdId: string, at: Date): Promise<boolean> {
  return (await resolveHold(tx, { holdId, capturedCents: 0, kind: 'hold_release', at })) !== undefined;
}

async function expireHold(tx: DbTransaction, holdId: string, at: Date): Promise<boolean> {
  const resolved = await resolveHold(tx, { holdId, capturedCents: 0, kind: 'hold_expired', at });
  if (!resolved) return false;
  const { hold, transactionId, balanceCents, balanceLine } = resolved;
  const { fanId, purpose, amountCents } = hold;
  await tx.emit('hold.expired', { holdId, fanId, purpose, amountCents, transactionId, balanceCents, balanceLine });
  return true;
}

/** Releases expired holds, each in its own transaction, and returns how many. Safe to run concurrently. */
export async function releaseExpiredHolds(db: Database, now: Date, limit = 200): Promise<number> {
  let released = 0;
  for (const { id } of await db.run<{ id: string }>(DUE, [now, limit])) {
    if (await db.transaction((tx) => expireHold(tx, id, now))) released += 1;
  }
  return released;
}
