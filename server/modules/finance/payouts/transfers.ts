/**
 * Books what happens to a payout in transit: it arrives, fails or is returned. Each is booked once, however often it is
 * reported.
 */

import type { TransferStep } from '@stagedoor/contract/admin/payouts.ts';
import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import { account, type Leg, postTransaction } from '../../ledger/ledger/index.ts';
import { requireValidTransactionId } from './crypto-addresses.ts';
import { findReturnMessage, INVALIDATING_CODES, toPayoutEvent, toPayoutKind } from './present.ts';
import { recordEvent, returnReserved, toReservedLegs } from './requests.ts';
import * as store from './store.ts';
import * as texts from './texts.ts';
import * as transfers from './transfer-store.ts';

const FEE = 'rev:payout_fee';
const toClearingAccount = (kind: string) => `liab:payout_clearing:${toPayoutKind(kind)}`;
/** PayPal remembers our id for 30 days. After that the same id would be a new batch. */
export const PAYPAL_ID_VALIDITY_MS = 29 * 24 * 60 * 60_000;
const getNetCents = ({ amount_cents: amount, fee_cents: fee }: store.PayoutRow) => amount - fee;

/** Sends the money of an approved request as part of a batch. Requires the lock on its row. Returns the transaction. */
export async function sendPayout(
  tx: DbTransaction,
  payout: store.RequestRow,
  batchId: string,
  at: Date,
): Promise<string> {
  const { transactionId } = await postTransaction(tx, {
    kind: 'payout_sent',
    legs: [...toReservedLegs(payout), [toClearingAccount(payout.kind), -getNetCents(payout)], [FEE, -payout.fee_cents]],
    metadata: { payout: payout.id, batch: batchId },
    at,
  });
  await transfers.markSent(tx, payout.id, { batchId, sentId: transactionId, at });
  return transactionId;
}

/**
 * Removes a request from a refused batch when the receiver is not the cause. Its money is reserved again and it stays
 * approved. Returns whether anything changed. Throws CONFLICT for a finished request.
 */
export async function revertSend(
  ctx: Pick<Context, 'clock'>,
  tx: DbTransaction,
  id: string,
  { batchId, reason, byId }: { batchId: string; reason: string; byId: string | null },
): Promise<boolean> {
  await store.lockPayout(tx, id);
  const payout = await store.findPayout(tx, id);
  if (!payout) throw new AppError('NOT_FOUND');
  if (payout.batch_id !== batchId || payout.sent_transaction_id === null) return false;
  if (payout.status !== 'approved') throw new AppError('CONFLICT', { message: texts.payoutAlreadyClosed });
  const at = ctx.clock.now();
  const legs: Leg[] = [
    [toClearingAccount(payout.kind), getNetCents(payout)],
    [FEE, payout.fee_cents],
    ...toReservedLegs(payout).map(([code, cents]): Leg => [code, -cents]),
  ];
  const metadata = { payout: id, batch: batchId };
  const { transactionId } = await postTransaction(tx, {
    kind: 'payout_unsent',
    legs,
    reversesId: payout.sent_transaction_id,
    metadata,
    at,
  });
  await transfers.markUnsent(tx, id, { batchId, at });
  await recordEvent(tx, payout, { event: 'unsent', at, byId, reason, transactionId });
  return true;
}

export type TransferReport = {
  step: TransferStep;
  reference?: string | undefined;
  code?: string | undefined;
  reason: string;
  /** The reporting operator. Null for the service. */
  byId: string | null;
};

function toReason({ code, reason }: TransferReport): string {
  return (code === undefined ? undefined : findReturnMessage(code)) ?? reason;
}

async function bookReturn(
  tx: DbTransaction,
  payout: store.RequestRow,
  report: TransferReport,
  at: Date,
): Promise<void> {
  const hasArrived = payout.status === 'transfered';
  const from: Leg[] = [
    [hasArrived ? account.bank : toClearingAccount(payout.kind), getNetCents(payout)],
    [FEE, payout.fee_cents],
  ];
  const transactionId = await returnReserved(tx, payout, { kind: 'payout_failed', from, at });
  await store.updatePayout(tx, payout.id, { status: 'rejected', transfer: 'failed', reason: toReason(report), at });
  if (report.code !== undefined && INVALIDATING_CODES.has(report.code))
    await transfers.invalidateMethod(tx, payout.method_id, report.code, at);
  const event = hasArrived || report.step === 'returned' ? 'returned' : 'failed';
  await recordEvent(tx, payout, { event, at, byId: report.byId, reason: report.reason, transactionId });
}

/**
 * Books a report about a request in transit and returns whether anything changed. Throws NOT_FOUND, CONFLICT (not sent,
 * or the opposite is booked), VALIDATION (a broadcast without a transaction id).
 */
export async function bookStep(
  ctx: Pick<Context, 'clock'>,
  tx: DbTransaction,
  id: string,
  report: TransferReport,
): Promise<boolean> {
  await store.lockPayout(tx, id);
  const payout = await store.findPayout(tx, id);
  if (!payout) throw new AppError('NOT_FOUND');
  if (payout.sent_transaction_id === null) throw new AppError('CONFLICT', { message: texts.payoutNotSent });
  const at = ctx.clock.now();
  const { step } = report;
  const isReversal = step === 'failed' || step === 'returned';
  if (payout.transfer === 'failed') {
    if (isReversal) return false;
    throw new AppError('CONFLICT', { message: texts.moneyAlreadyReturned });
  }
  const isOnChain = payout.kind === 'crypto';
  if (isReversal) {
    if (isOnChain && payout.reference !== null)
      throw new AppError('CONFLICT', { message: texts.broadcastPayoutNotReturnable });
    await bookReturn(tx, payout, report, at);
    return true;
  }
  if (payout.status === 'transfered') return false;
  const reference = report.reference ?? payout.reference;
  if (isOnChain && reference === null && step !== 'sent')
    throw createFieldError('reference', texts.enterBlockchainTransactionId);
  if (isOnChain && payout.reference !== null && reference !== payout.reference)
    throw new AppError('CONFLICT', { message: texts.anotherBlockchainTransactionExists });
  if (isOnChain && reference !== null && reference !== payout.reference)
    requireValidTransactionId('reference', payout.network, reference);
  if (reference !== payout.reference) await transfers.setReference(tx, id, reference);
  if (step !== 'paid') {
    const knownEvents = (await store.listPayoutEvents(tx, [id])).map(({ event }) => event);
    // A report from before the request left its batch concerns that earlier batch.
    if (knownEvents.lastIndexOf(step) > knownEvents.lastIndexOf('unsent')) return false;
    await store.updatePayout(tx, id, { status: 'approved', transfer: 'pending', at });
    await recordEvent(tx, payout, { event: toPayoutEvent(step), at, byId: report.byId, reason: report.reason });
    return true;
  }
  const { transactionId } = await postTransaction(tx, {
    kind: 'payout_paid',
    legs: [
      [toClearingAccount(payout.kind), getNetCents(payout)],
      [account.bank, -getNetCents(payout)],
    ],
    metadata: { payout: id },
    at,
  });
  await transfers.markPaid(tx, id, transactionId);
  await store.updatePayout(tx, id, { status: 'transfered', transfer: 'processed', at });
  await recordEvent(tx, payout, { event: 'paid', at, byId: report.byId, reason: report.reason, transactionId });
  return true;
}
