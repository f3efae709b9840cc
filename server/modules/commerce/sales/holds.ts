import type { LimitPeriod } from '@stagedoor/contract/commerce/limit-periods.ts';
import type { SpendingBound } from '@stagedoor/contract/commerce/spending-bounds.ts';
import { asCents, type Cents, calculatePercent, toUsd } from '@stagedoor/contract/shared/money.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../platform/database/db.ts';
import {
  account,
  addPendingClearing,
  type ExtendedHold,
  extendHold,
  getHold,
  getWalletBalance,
  type Hold,
  lockWallet,
  placeHold,
  reduceHold,
  resolveHold,
  type WalletBalance,
} from '../../ledger/ledger/index.ts';
import './charge.ts';
import { getEffectiveFee, getSalesSettings, openEarnings } from './fees.ts';
import { getFanWallet, type WalletView } from './stats.ts';

/**
 * Returns what a fan may spend now, in cents: the balance and what the limits leave. Locks the wallet until the
 * transaction ends.
 */
export async function lockSpendable(tx: DbTransaction, fanId: string, at: Date): Promise<SpendableFunds> {
  await lockWallet(tx, fanId);
  return toSpendable(await getFanWallet(tx, fanId, at));
}

/**
 * `isBlocked`: by an operator, a debt or a self-exclusion. `limitCents`: what the limits leave. `period`: the period of the
 * strictest limit.
 */
export type SpendableFunds = {
  cents: number;
  balanceCents: number;
  limitCents: number;
  isBlocked: boolean;
  period: LimitPeriod;
};

/** Presents what bounds the spending in addition to the balance. `heldCents` are set aside and count as spent already. */
export function presentSpendingBound(
  {
    remainingCents,
    limitingPeriod,
    pausedUntil,
  }: Pick<WalletView, 'remainingCents' | 'limitingPeriod' | 'pausedUntil'>,
  heldCents = 0,
): SpendingBound {
  const cents = pausedUntil === null ? Math.max(0, remainingCents) : 0;
  return { kind: pausedUntil === null ? limitingPeriod : 'break', left: toUsd(asCents(cents + heldCents)) };
}

export function toSpendable(
  wallet: Pick<WalletView, 'availableCents' | 'remainingCents' | 'limitingPeriod' | 'isBlocked' | 'pausedUntil'>,
): SpendableFunds {
  const { availableCents, remainingCents, limitingPeriod: period } = wallet;
  const isBlocked = wallet.isBlocked || wallet.pausedUntil !== null;
  const cents = isBlocked ? 0 : Math.max(0, Math.min(availableCents, remainingCents));
  return { cents, balanceCents: availableCents, limitCents: Math.max(0, remainingCents), isBlocked, period };
}

declare module '../../../platform/events/event-types.ts' {
  interface EventMap {
    /** Money was set aside, or a hold was released completely. No sale event covers these changes. */
    'hold.changed': { fanId: string; transactionId: string; balanceCents: number; balanceLine: number };
  }
}

async function emitHoldChanged(tx: DbTransaction, fanId: string, transactionId: string): Promise<void> {
  await tx.emit('hold.changed', { fanId, transactionId, ...(await getWalletBalance(tx, fanId)) });
}

type HoldFeeInput = { holdId: string; creatorId: string; at: Date };

async function saveHoldFee(tx: DbTransaction, { holdId, creatorId, at }: HoldFeeInput): Promise<void> {
  const { percent } = await getEffectiveFee(tx, creatorId, at);
  await tx.query
    .insertInto('sales_hold_fees')
    .values({ hold_id: holdId, creator_id: creatorId, fee_basis_points: Math.round(percent * 100) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Sets money of a fan aside. With a `creatorId`, the fee at this time applies to all captures of the hold. Throws
 * INSUFFICIENT_FUNDS, FORBIDDEN (blocked, over a limit), CONFLICT (operation id reused).
 */
export async function holdFunds(
  tx: DbTransaction,
  {
    creatorId,
    ...hold
  }: {
    fanId: string;
    creatorId?: string;
    amountCents: number;
    purpose: string;
    operationId: string;
    expiresAt: Date;
    at: Date;
  },
): Promise<Hold> {
  const { dailyLimitCents } = await getSalesSettings(tx);
  const placed = await placeHold(tx, { ...hold, defaultLimitCents: dailyLimitCents });
  if (creatorId !== undefined) await saveHoldFee(tx, { holdId: placed.id, creatorId, at: hold.at });
  await emitHoldChanged(tx, hold.fanId, placed.id);
  return placed;
}

/**
 * Extends a hold before the time that it pays for begins. Throws as {@link holdFunds}, and CONFLICT once it is
 * resolved.
 */
export async function extendFunds(
  tx: DbTransaction,
  extension: { holdId: string; amountCents: number; operationId?: string; expiresAt: Date; at: Date },
): Promise<ExtendedHold> {
  const { dailyLimitCents } = await getSalesSettings(tx);
  const extended = await extendHold(tx, { ...extension, defaultLimitCents: dailyLimitCents });
  await emitHoldChanged(tx, extended.fanId, extended.transactionId);
  return extended;
}

/** Returns a part of a hold to the wallet, which the caller spends in the same transaction. Throws CONFLICT. */
export async function reduceFunds(
  tx: DbTransaction,
  reduction: { holdId: string; amountCents: number; at: Date },
): Promise<ExtendedHold> {
  const reduced = await reduceHold(tx, reduction);
  await emitHoldChanged(tx, reduced.fanId, reduced.transactionId);
  return reduced;
}

const FEE_ACCOUNT: SqlStatement = {
  name: 'sales-fee-account',
  text: 'select fee_account as code from ledger_kinds where kind = $1 and fee_account is not null',
};
const SALE: SqlStatement = {
  name: 'sales-captured',
  text: `with sale as (
      insert into sales (id, fan_id, creator_id, subject_id, gross_cents, fee_cents, created_at, clears_at, fee_basis_points, kind, note)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning *)
    select sales_commission(id, fan_id, creator_id, gross_cents, fee_cents, created_at, clears_at) from sale`,
};

export type CapturedFunds = WalletBalance & {
  transactionId: string;
  grossCents: Cents;
  feeCents: Cents;
  netCents: Cents;
  releasedCents: Cents;
};

export async function getHoldFee(db: Executor, { holdId, creatorId, at }: HoldFeeInput): Promise<number> {
  const stored = await db.query
    .selectFrom('sales_hold_fees')
    .select('fee_basis_points')
    .where('hold_id', '=', holdId)
    .where('creator_id', '=', creatorId)
    .executeTakeFirst();
  return stored ? stored.fee_basis_points / 100 : (await getEffectiveFee(db, creatorId, at)).percent;
}

/**
 * Captures `grossCents` of a hold as a sale to the creator and releases the rest. 0 releases the whole hold. Returns
 * undefined when the hold was already resolved. Throws NOT_FOUND, CONFLICT (more than is held).
 */
export async function captureFunds(
  tx: DbTransaction,
  capture: {
    kind: string;
    holdId: string;
    creatorId: string;
    subjectId: string | null;
    grossCents: number;
    note?: string;
    at: Date;
  },
): Promise<CapturedFunds | undefined> {
  const { kind, holdId, creatorId, subjectId, grossCents, note = '', at } = capture;
  await lockWallet(tx, (await getHold(tx, holdId)).fanId);
  await openEarnings(tx, creatorId);
  const [fee] = await tx.run<{ code: string }>(FEE_ACCOUNT, [kind]);
  if (!fee) throw new Error(`no sale is of kind ${kind}`);
  const percent = await getHoldFee(tx, { holdId, creatorId, at });
  const { clearingDays } = await getSalesSettings(tx);
  const feeCents = calculatePercent(asCents(grossCents), percent);
  const netCents = asCents(grossCents - feeCents);
  const resolved = await resolveHold(tx, {
    holdId,
    capturedCents: grossCents,
    credits: [
      [account.pending(creatorId), -netCents],
      [fee.code, -feeCents],
    ],
    kind: grossCents > 0 ? kind : 'hold_release',
    items: 1,
    at,
  });
  if (!resolved) return undefined;
  const { hold, transactionId, balanceCents, balanceLine } = resolved;
  if (grossCents > 0) {
    const clearsAt = new Date(at.getTime() + clearingDays * 86_400_000);
    await addPendingClearing(tx, { dueAt: clearsAt, transactionId, code: account.pending(creatorId), cents: netCents });
    await tx.run(SALE, [
      transactionId,
      hold.fanId,
      creatorId,
      subjectId,
      grossCents,
      feeCents,
      at,
      clearsAt,
      Math.round(percent * 100),
      kind,
      note,
    ]);
    await tx.emit('sale.made', {
      transactionId,
      kind,
      fanId: hold.fanId,
      creatorId,
      subjectId,
      grossCents,
      netCents,
      balanceCents,
      balanceLine,
      tipType: null,
      at: at.toISOString(),
    });
  }
  if (grossCents === 0) await tx.emit('hold.changed', { fanId: hold.fanId, transactionId, balanceCents, balanceLine });
  return {
    transactionId,
    grossCents: asCents(grossCents),
    feeCents,
    netCents,
    releasedCents: asCents(hold.amountCents - grossCents),
    balanceCents,
    balanceLine,
  };
}
