import { asCents, type Cents, percentOf } from '@stagedoor/contract/atoms/money.ts';
import type { LimitPeriod } from '@stagedoor/contract/own-limits.ts';
import type { Executor, Statement, Transaction } from '../../kernel/db.ts';
import {
  account,
  addMaturity,
  type Extended,
  extendHold,
  findHold,
  type Hold,
  lockWallet,
  placeHold,
  resolveHold,
  type WalletBalance,
  walletBalance,
} from '../ledger/index.ts';
import './charge.ts';
import { effectiveFee, openCreator, salesSettings } from './fees.ts';
import { type WalletView, walletOf } from './stats.ts';

/**
 * Returns what a fan may spend now, in cents: the balance and what the limits leave. Locks the wallet until the
 * transaction ends.
 */
export async function lockSpendable(tx: Transaction, fanId: string, at: Date): Promise<Spendable> {
  await lockWallet(tx, fanId);
  return spendableOf(await walletOf(tx, fanId, at));
}

/** `isBlocked`: by an operator, a debt or a self-exclusion. `period`: the period of the strictest limit. */
export type Spendable = { cents: number; balanceCents: number; isBlocked: boolean; period: LimitPeriod };

export function spendableOf(
  wallet: Pick<WalletView, 'availableCents' | 'leftCents' | 'leftPeriod' | 'isBlocked' | 'pausedUntil'>,
): Spendable {
  const { availableCents, leftCents, leftPeriod: period } = wallet;
  const isBlocked = wallet.isBlocked || wallet.pausedUntil !== null;
  const cents = isBlocked ? 0 : Math.max(0, Math.min(availableCents, leftCents));
  return { cents, balanceCents: availableCents, isBlocked, period };
}

declare module '../../kernel/events.ts' {
  interface EventMap {
    /** Money was set aside, or a hold was released completely. No sale event covers these changes. */
    'hold.changed': { fanId: string; transactionId: string; balanceCents: number; balanceLine: number };
  }
}

async function tellBalance(tx: Transaction, fanId: string, transactionId: string): Promise<void> {
  await tx.emit('hold.changed', { fanId, transactionId, ...(await walletBalance(tx, fanId)) });
}

type OfHold = { holdId: string; creatorId: string; at: Date };

async function keepFee(tx: Transaction, { holdId, creatorId, at }: OfHold): Promise<void> {
  const { percent } = await effectiveFee(tx, creatorId, at);
  await tx.query
    .insertInto('sales_hold_terms')
    .values({ hold_id: holdId, creator_id: creatorId, fee_basis_points: Math.round(percent * 100) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Sets money of a fan aside. With a `creatorId`, the fee at this time applies to all captures of the hold. Throws
 * INSUFFICIENT_FUNDS, FORBIDDEN (blocked, over a limit), CONFLICT (operation id reused).
 */
export async function holdFunds(
  tx: Transaction,
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
  const { dailyLimitCents } = await salesSettings(tx);
  const placed = await placeHold(tx, { ...hold, defaultLimitCents: dailyLimitCents });
  if (creatorId !== undefined) await keepFee(tx, { holdId: placed.id, creatorId, at: hold.at });
  await tellBalance(tx, hold.fanId, placed.id);
  return placed;
}

/**
 * Extends a hold before the time that it pays for begins. Throws as {@link holdFunds}, and CONFLICT once it is
 * resolved.
 */
export async function extendFunds(
  tx: Transaction,
  extension: { holdId: string; amountCents: number; operationId?: string; expiresAt: Date; at: Date },
): Promise<Extended> {
  const { dailyLimitCents } = await salesSettings(tx);
  const extended = await extendHold(tx, { ...extension, defaultLimitCents: dailyLimitCents });
  await tellBalance(tx, extended.fanId, extended.transactionId);
  return extended;
}

const FEE_ACCOUNT: Statement = {
  name: 'sales-fee-account',
  text: 'select fee_account as code from ledger_kinds where kind = $1 and fee_account is not null',
};
const SALE: Statement = {
  name: 'sales-captured',
  text: `with sale as (
      insert into sales (id, fan_id, creator_id, subject_id, gross_cents, fee_cents, created_at, clears_at, fee_basis_points, kind, note)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning *)
    select sales_commission(id, fan_id, creator_id, gross_cents, fee_cents, created_at, clears_at) from sale`,
};

export type Captured = WalletBalance & {
  transactionId: string;
  grossCents: Cents;
  feeCents: Cents;
  netCents: Cents;
  releasedCents: Cents;
};

export async function feeOfHold(db: Executor, { holdId, creatorId, at }: OfHold): Promise<number> {
  const kept = await db.query
    .selectFrom('sales_hold_terms')
    .select('fee_basis_points')
    .where('hold_id', '=', holdId)
    .where('creator_id', '=', creatorId)
    .executeTakeFirst();
  return kept ? kept.fee_basis_points / 100 : (await effectiveFee(db, creatorId, at)).percent;
}

/**
 * Captures `grossCents` of a hold as a sale to the creator and releases the rest. 0 releases the whole hold. Returns
 * undefined when the hold was already resolved. Throws NOT_FOUND, CONFLICT (more than is held).
 */
export async function captureFunds(
  tx: Transaction,
  capture: {
    kind: string;
    holdId: string;
    creatorId: string;
    subjectId: string | null;
    grossCents: number;
    note?: string;
    at: Date;
  },
): Promise<Captured | undefined> {
  const { kind, holdId, creatorId, subjectId, grossCents, note = '', at } = capture;
  await lockWallet(tx, (await findHold(tx, holdId)).fanId);
  await openCreator(tx, creatorId);
  const [fee] = await tx.run<{ code: string }>(FEE_ACCOUNT, [kind]);
  if (!fee) throw new Error(`no sale is of kind ${kind}`);
  const percent = await feeOfHold(tx, { holdId, creatorId, at });
  const { clearingDays } = await salesSettings(tx);
  const feeCents = percentOf(asCents(grossCents), percent);
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
    await addMaturity(tx, { dueAt: clearsAt, transactionId, code: account.pending(creatorId), cents: netCents });
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
