/** Creates and cancels payout requests. The transaction that stores a request reserves its money in the ledger. */

import type { PayoutSource } from '@stagedoor/contract/finance/payouts.ts';
import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import { asCents, type Cents, formatCents } from '@stagedoor/contract/shared/money.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import { claimIdempotencyKey } from '../../../platform/database/idempotency.ts';
import { createId } from '../../../platform/ids.ts';
import { account, hashRequest, type Leg, lockAccounts, postTransaction } from '../../ledger/ledger/index.ts';
import './events.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { requirePayable } from './eligibility.ts';
import { getApprovalsForAmount } from './payout-approvals.ts';
import { isOpen, toPayoutEvent, toPayoutKind, toPayoutSource } from './present.ts';
import { calculateFee, getMinimum, loadPayoutSettings } from './settings.ts';
import * as store from './store.ts';
import * as texts from './texts.ts';

export type PayoutRequest = {
  userId: string;
  source: PayoutSource;
  amountCents: Cents;
  methodId: string;
  operationId: string;
  isAutomatic?: boolean;
};

export function getPayoutAccounts(userId: string, source: PayoutSource): { available: string; reserved: string } {
  if (source === 'earnings') return { available: account.available(userId), reserved: account.reserved(userId) };
  return { available: `liab:affiliate:${userId}:available`, reserved: `liab:affiliate:${userId}:payout_reserved` };
}

async function requireMethod(ctx: Context, tx: DbTransaction, userId: string, id: string): Promise<store.MethodRow> {
  const method = await store.lockMethodForShare(tx, userId, id);
  if (!method) throw new AppError('NOT_FOUND', { message: texts.payoutMethodMissing });
  if (method.invalid_at) throw new AppError('CONFLICT', { message: texts.addReturnedMethodAgain });
  if (method.usable_at > ctx.clock.now()) {
    const from = formatText(texts.utcTime, { time: method.usable_at.toISOString().slice(0, 16).replace('T', ' ') });
    throw new AppError('CONFLICT', { message: formatText(texts.newMethodUsableFrom, { startTime: from }) });
  }
  return method;
}

export async function recordEvent(
  tx: DbTransaction,
  payout: Pick<store.PayoutRow, 'id' | 'user_id' | 'source' | 'amount_cents'>,
  event: Omit<Parameters<typeof store.insertPayoutEvent>[1], 'payoutId'>,
): Promise<void> {
  await store.insertPayoutEvent(tx, { payoutId: payout.id, ...event });
  const source = toPayoutSource(payout.source);
  await tx.emit('payout.changed', {
    payoutId: payout.id,
    userId: payout.user_id,
    source,
    amountCents: payout.amount_cents,
    event: toPayoutEvent(event.event),
  });
}

/**
 * Reserves available money for a payout and returns the id of the request. Throws VALIDATION (below the minimum),
 * INSUFFICIENT_FUNDS, NOT_FOUND (no such method), CONFLICT (the method is new or was returned, or the operation id was
 * used for another request), FORBIDDEN (not verified, has a debt or is restricted), account_blocked.
 */
export async function requestPayout(ctx: Context, tx: DbTransaction, request: PayoutRequest): Promise<string> {
  const { userId, source, amountCents, methodId, operationId } = request;
  const id = createId(ctx.clock);
  const requestHash = hashRequest({ payout: source, amountCents, methodId });
  const earlier = await claimIdempotencyKey(tx, { actorId: userId, operationId, requestHash, subjectId: id });
  if (earlier !== undefined) return earlier;

  const { available, reserved } = getPayoutAccounts(userId, source);
  // Locks before reading anything that a concurrent refund could change.
  const [availableCents = 0] = await lockAccounts(tx, [available, reserved]);
  await requirePayable(tx, { userId, source }, ctx.clock.now());
  const method = await requireMethod(ctx, tx, userId, methodId);
  const settings = await loadPayoutSettings(tx);
  const minimum = getMinimum(settings, source, toPayoutKind(method.kind));
  if (amountCents < minimum)
    throw createFieldError('amount', formatText(texts.minimumPayout, { minimum: formatCents(minimum) }));
  if (amountCents > availableCents)
    throw new AppError('INSUFFICIENT_FUNDS', {
      message: formatText(texts.maximumPayoutNow, { availableAmount: formatCents(asCents(availableCents)) }),
    });

  const at = ctx.clock.now();
  const { transactionId } = await postTransaction(tx, {
    kind: 'payout_requested',
    legs: [
      [available, amountCents],
      [reserved, -amountCents],
    ],
    metadata: { payout: id },
    at,
  });
  await store.insertPayout(tx, {
    id,
    user_id: userId,
    source,
    amount_cents: amountCents,
    fee_cents: calculateFee(settings, source, amountCents),
    approvals_needed: getApprovalsForAmount(settings, amountCents),
    method_id: methodId,
    is_automatic: request.isAutomatic ?? false,
    transaction_id: transactionId,
    status: 'requested',
    created_at: at,
    updated_at: at,
  });
  const byId = request.isAutomatic ? null : userId;
  const payout = { id, user_id: userId, source, amount_cents: amountCents };
  await recordEvent(tx, payout, { event: 'requested', at, byId, transactionId });
  return id;
}

/**
 * Returns the money of a request to the available balance. `from` contains the debits of its whole amount. Debt of the
 * same source is repaid from it. Returns the transaction.
 */
export async function returnReserved(
  tx: DbTransaction,
  payout: store.PayoutRow,
  { kind, from, at }: { kind: 'payout_cancelled' | 'payout_failed'; from: readonly Leg[]; at: Date },
): Promise<string> {
  const { available, reserved } = getPayoutAccounts(payout.user_id, toPayoutSource(payout.source));
  const isEarned = payout.source === 'earnings';
  const receivable = isEarned ? account.receivable(payout.user_id) : account.affiliateReceivable(payout.user_id);
  const [, , owed = 0] = await lockAccounts(tx, [available, reserved, receivable]);
  const { transactionId } = await postTransaction(tx, {
    kind,
    legs: [...from, [available, -payout.amount_cents]],
    reversesId: payout.transaction_id,
    metadata: { payout: payout.id },
    at,
  });
  const repaidCents = Math.min(owed, payout.amount_cents);
  if (repaidCents > 0)
    await postTransaction(tx, {
      kind: isEarned ? 'earnings_withheld' : 'commission_repayment',
      legs: [
        [available, repaidCents],
        [receivable, -repaidCents],
      ],
      at,
    });
  return transactionId;
}

export function toReservedLegs(payout: store.PayoutRow): readonly Leg[] {
  return [[getPayoutAccounts(payout.user_id, toPayoutSource(payout.source)).reserved, payout.amount_cents]];
}

/**
 * Cancels a request before it is approved. Idempotent. Throws NOT_FOUND (not of this user and source), CONFLICT when it
 * was already decided.
 */
export async function cancelPayout(
  ctx: Pick<Context, 'clock'>,
  tx: DbTransaction,
  { userId, source, payoutId }: { userId: string; source: PayoutSource; payoutId: string },
): Promise<void> {
  const payout = await store.lockPayout(tx, payoutId);
  if (!payout || payout.user_id !== userId || payout.source !== source) throw new AppError('NOT_FOUND');
  if (payout.status === 'cancel') return;
  if (!isOpen(payout)) throw new AppError('CONFLICT', { message: texts.requestAlreadyProcessed });
  const at = ctx.clock.now();
  const transactionId = await returnReserved(tx, payout, {
    kind: 'payout_cancelled',
    from: toReservedLegs(payout),
    at,
  });
  await store.updatePayout(tx, payoutId, { status: 'cancel', at });
  await recordEvent(tx, payout, { event: 'cancelled', at, byId: userId, transactionId });
}
