/**
 * Books what happens to a payout in transit: it arrives, fails or is returned. Each is booked once, however often it is
 * reported.
 */
import { AppError, invalid } from '@stagedoor/contract/atoms/errors.ts';
import type { TransferStep } from '@stagedoor/contract/payout-desk.ts';
import type { Context } from '../../kernel/context.ts';
import type { Transaction } from '../../kernel/db.ts';
import { account, type Leg, post } from '../ledger/index.ts';
import { requireTransaction } from './coins.ts';
import { INVALIDATING, kindOf, momentOf, returnWords } from './present.ts';
import { fromReserved, giveBack, noteMoment } from './requests.ts';
import * as store from './store.ts';
import * as transfers from './transfer-store.ts';

const FEE = 'rev:payout_fee';
const clearingOf = (kind: string) => `liab:payout_clearing:${kindOf(kind)}`;
/** PayPal remembers our id for 30 days. After that the same id would be a new batch. */
export const KNOWN_MS = 29 * 24 * 60 * 60_000;
const netOf = ({ amount_cents: amount, fee_cents: fee }: store.PayoutRow) => amount - fee;

/** Sends the money of an approved request as part of a batch. Requires the lock on its row. Returns the transaction. */
export async function send(tx: Transaction, payout: store.RequestRow, batchId: string, at: Date): Promise<string> {
  const { transactionId } = await post(tx, {
    kind: 'payout_sent',
    legs: [...fromReserved(payout), [clearingOf(payout.kind), -netOf(payout)], [FEE, -payout.fee_cents]],
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
export async function unsend(
  ctx: Pick<Context, 'clock'>,
  tx: Transaction,
  id: string,
  { batchId, ground, byId }: { batchId: string; ground: string; byId: string | null },
): Promise<boolean> {
  await store.lockPayout(tx, id);
  const payout = await store.findPayout(tx, id);
  if (!payout) throw new AppError('NOT_FOUND');
  if (payout.batch_id !== batchId || payout.sent_id === null) return false;
  if (payout.status !== 'approved') throw new AppError('CONFLICT', { message: 'This payout is already closed.' });
  const at = ctx.clock.now();
  const legs: Leg[] = [
    [clearingOf(payout.kind), netOf(payout)],
    [FEE, payout.fee_cents],
    ...fromReserved(payout).map(([code, cents]): Leg => [code, -cents]),
  ];
  const metadata = { payout: id, batch: batchId };
  const { transactionId } = await post(tx, { kind: 'payout_unsent', legs, reversesId: payout.sent_id, metadata, at });
  await transfers.markUnsent(tx, id, { batchId, at });
  await noteMoment(tx, payout, { moment: 'unsent', at, byId, ground, transactionId });
  return true;
}

export type Step = {
  step: TransferStep;
  reference?: string | undefined;
  code?: string | undefined;
  ground: string;
  /** The reporting operator. Null for the service. */
  byId: string | null;
};

function reasonOf({ code, ground }: Step): string {
  return (code === undefined ? undefined : returnWords(code)) ?? ground;
}

async function takeBack(tx: Transaction, payout: store.RequestRow, told: Step, at: Date): Promise<void> {
  const hasArrived = payout.status === 'transfered';
  const from: Leg[] = [
    [hasArrived ? account.bank : clearingOf(payout.kind), netOf(payout)],
    [FEE, payout.fee_cents],
  ];
  const transactionId = await giveBack(tx, payout, { kind: 'payout_failed', from, at });
  await store.updatePayout(tx, payout.id, { status: 'rejected', transfer: 'failed', reason: reasonOf(told), at });
  if (told.code !== undefined && INVALIDATING.has(told.code))
    await transfers.invalidateMethod(tx, payout.method_id, told.code, at);
  const moment = hasArrived || told.step === 'returned' ? 'returned' : 'failed';
  await noteMoment(tx, payout, { moment, at, byId: told.byId, ground: told.ground, transactionId });
}

/**
 * Books a report about a request in transit and returns whether anything changed. Throws NOT_FOUND, CONFLICT (not sent,
 * or the opposite is booked), VALIDATION (a broadcast without a transaction id).
 */
export async function takeStep(ctx: Pick<Context, 'clock'>, tx: Transaction, id: string, told: Step): Promise<boolean> {
  await store.lockPayout(tx, id);
  const payout = await store.findPayout(tx, id);
  if (!payout) throw new AppError('NOT_FOUND');
  if (payout.sent_id === null) throw new AppError('CONFLICT', { message: 'This payout hasn’t been sent.' });
  const at = ctx.clock.now();
  const { step } = told;
  const isBack = step === 'failed' || step === 'returned';
  if (payout.transfer === 'failed') {
    if (isBack) return false;
    throw new AppError('CONFLICT', { message: 'The money was already returned.' });
  }
  const isOnChain = payout.kind === 'crypto';
  if (isBack) {
    if (isOnChain && payout.reference !== null)
      throw new AppError('CONFLICT', { message: 'It’s on the blockchain. A broadcast payout can’t be returned.' });
    await takeBack(tx, payout, told, at);
    return true;
  }
  if (payout.status === 'transfered') return false;
  const reference = told.reference ?? payout.reference;
  if (isOnChain && reference === null && step !== 'sent')
    throw invalid('reference', 'Enter the blockchain transaction ID.');
  if (isOnChain && payout.reference !== null && reference !== payout.reference)
    throw new AppError('CONFLICT', { message: 'This payout already has another blockchain transaction.' });
  if (isOnChain && reference !== null && reference !== payout.reference)
    requireTransaction('reference', payout.network, reference);
  if (reference !== payout.reference) await transfers.setReference(tx, id, reference);
  if (step !== 'paid') {
    const known = (await store.momentsOf(tx, [id])).map(({ moment }) => moment);
    // A report from before the request left its batch concerns that earlier batch.
    if (known.lastIndexOf(step) > known.lastIndexOf('unsent')) return false;
    await store.updatePayout(tx, id, { status: 'approved', transfer: 'pending', at });
    await noteMoment(tx, payout, { moment: momentOf(step), at, byId: told.byId, ground: told.ground });
    return true;
  }
  const { transactionId } = await post(tx, {
    kind: 'payout_paid',
    legs: [
      [clearingOf(payout.kind), netOf(payout)],
      [account.bank, -netOf(payout)],
    ],
    metadata: { payout: id },
    at,
  });
  await transfers.markPaid(tx, id, transactionId);
  await store.updatePayout(tx, id, { status: 'transfered', transfer: 'processed', at });
  await noteMoment(tx, payout, { moment: 'paid', at, byId: told.byId, ground: told.ground, transactionId });
  return true;
}
