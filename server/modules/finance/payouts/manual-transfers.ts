/**
 * Reports of operators about money in transit. For a PayPal payout, only the status at PayPal is booked while PayPal
 * can be queried.
 */

import type {
  AdminPayout,
  correctPayoutReference as correctRoute,
  recordTransferStep as stepRoute,
} from '@stagedoor/contract/admin/payouts.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { BodyOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import { logAction } from '../../identity/audit-log/index.ts';
import { viewAdminPayout } from './admin.ts';
import { requireValidTransactionId } from './crypto-addresses.ts';
import { recordClaim } from './failure-claims.ts';
import type { PayoutOutcome } from './provider.ts';
import * as store from './store.ts';
import { bookOutcome, findProvider } from './submit.ts';
import * as texts from './texts.ts';
import * as transfers from './transfer-store.ts';
import { bookStep, PAYPAL_ID_VALIDITY_MS } from './transfers.ts';

/** Throws CONFLICT while a batch is being handed over to PayPal, because money returned now could be sent as well. */
async function requireSubmitted({ clock }: Pick<Context, 'clock'>, tx: DbTransaction, id: string): Promise<void> {
  const batchId = (await store.lockPayout(tx, id))?.batch_id;
  const batch = batchId ? await transfers.findBatch(tx, batchId) : undefined;
  const isSubmitting = batch?.state === 'sending' || batch?.state === 'unknown';
  if (isSubmitting && clock.now().getTime() - batch.created_at.getTime() <= PAYPAL_ID_VALIDITY_MS)
    throw new AppError('CONFLICT', { message: texts.payoutStillBeingSent });
}

const NO_RESPONSE = texts.paypalNotResponding;

async function requireOutcome(pending: Promise<PayoutOutcome | undefined>): Promise<PayoutOutcome> {
  const outcome = await pending.catch(() => undefined);
  if (!outcome || outcome.state === 'unknown') throw new AppError('UPSTREAM', { message: NO_RESPONSE });
  return outcome;
}

/**
 * Returns the current status of a payout at PayPal. If `isReversal` is true, cancels an unclaimed payment first. Returns
 * undefined when PayPal does not know the payout. Throws UPSTREAM (no response, or not configured).
 */
async function queryPayPal(
  ctx: Context,
  payout: store.RequestRow,
  isReversal: boolean,
): Promise<PayoutOutcome | undefined> {
  const batch = payout.batch_id === null ? undefined : await transfers.findBatch(ctx.db, payout.batch_id);
  const { reference } = payout;
  // PayPal never confirmed the batch, and by now it has forgotten our id for it.
  if (!batch || batch.provider_ref === null) return undefined;
  const { provider_ref: ref } = batch;
  const provider = findProvider(ctx);
  if (!provider) throw new AppError('UPSTREAM', { message: texts.paypalCheckNotConfigured });
  const outcome = await requireOutcome(
    reference === null
      ? provider.items(ref).then((items) => items.get(payout.id) ?? { state: 'accepted', ref: null })
      : provider.fetch(reference),
  );
  if (outcome.state === 'none') return undefined;
  if (outcome.state !== 'accepted') return outcome;
  if (isReversal && outcome.isUnclaimed && outcome.ref !== null) {
    const cancelled = await requireOutcome(provider.cancel(outcome.ref));
    if (cancelled.state !== 'accepted' && cancelled.state !== 'none') return cancelled;
  }
  return outcome;
}

async function recordPayPalStep(
  ctx: Context,
  operatorId: string,
  payout: store.RequestRow,
  { step, reason }: BodyOf<typeof stepRoute>,
): Promise<boolean> {
  const isReversal = step === 'failed' || step === 'returned';
  const outcome = await queryPayPal(ctx, payout, isReversal);
  if (!outcome) return false;
  if (outcome.state === 'accepted' && step !== 'sent')
    throw new AppError('CONFLICT', {
      message: texts.paypalStillInTransit,
    });
  const details = { reason, reportedStep: step, outcome: outcome.state };
  await ctx.db.transaction(async (tx) => {
    await requireSubmitted(ctx, tx, payout.id);
    if (!(await bookOutcome(ctx, tx, { id: payout.id, batchId: payout.batch_id }, outcome, operatorId))) return;
    await logAction(ctx, tx, {
      operatorId,
      action: 'payout.queried',
      subjectKind: 'payout',
      subjectId: payout.id,
      details,
    });
  });
  return true;
}

/**
 * Books the report of an operator about a request. A failed or returned payout waits for a second operator if it is
 * large or was approved by the same operator alone. Throws NOT_FOUND, VALIDATION, CONFLICT (not sent, the opposite was
 * booked, or in transit at PayPal), UPSTREAM (PayPal does not respond).
 */
export async function recordPayoutStep(
  ctx: Context,
  operatorId: string,
  id: string,
  body: BodyOf<typeof stepRoute>,
): Promise<AdminPayout> {
  const payout = await ctx.db.transaction(async (tx) => {
    await requireSubmitted(ctx, tx, id);
    return store.findPayout(tx, id);
  });
  if (!payout) throw new AppError('NOT_FOUND');
  const isByPayPal = payout.rail === 'paypal' && payout.transfer !== 'failed';
  let claimResult = await recordClaim(ctx, operatorId, id, { ...body, isPayPalQueried: isByPayPal });
  if (claimResult === 'waits') return viewAdminPayout(ctx, id);
  if (isByPayPal) {
    if (await recordPayPalStep(ctx, operatorId, payout, body)) return viewAdminPayout(ctx, id);
    claimResult = await recordClaim(ctx, operatorId, id, { ...body, isPayPalQueried: false });
    if (claimResult === 'waits') return viewAdminPayout(ctx, id);
  }
  await ctx.db.transaction(async (tx) => {
    await requireSubmitted(ctx, tx, id);
    if (!(await bookStep(ctx, tx, id, { ...body, byId: operatorId }))) return;
    const { step, reason, code = null, reference = null } = body;
    const details = { reason, code, reference, ...(claimResult === 'alone' && { alone: true }) };
    await logAction(ctx, tx, { operatorId, action: `payout.${step}`, subjectKind: 'payout', subjectId: id, details });
  });
  return viewAdminPayout(ctx, id);
}

/**
 * Replaces a blockchain transaction id that was mistyped or dropped. The audit log retains the old one. Throws
 * NOT_FOUND, VALIDATION (invalid for the network), CONFLICT (nothing to replace, or replaced in between).
 */
export async function replaceReference(
  ctx: Context,
  operatorId: string,
  id: string,
  { from, to, reason }: BodyOf<typeof correctRoute>,
): Promise<AdminPayout> {
  await ctx.db.transaction(async (tx) => {
    await store.lockPayout(tx, id);
    const payout = await store.findPayout(tx, id);
    if (!payout) throw new AppError('NOT_FOUND');
    if (payout.kind !== 'crypto' || payout.reference === null)
      throw new AppError('CONFLICT', { message: texts.noBlockchainTransaction });
    if (payout.reference !== from) throw new AppError('CONFLICT', { message: texts.transactionIdChanged });
    requireValidTransactionId('to', payout.network, to);
    if (from === to) return;
    await transfers.setReference(tx, id, to);
    const details = { reason, from, to };
    await logAction(ctx, tx, { operatorId, action: 'payout.reference', subjectKind: 'payout', subjectId: id, details });
  });
  return viewAdminPayout(ctx, id);
}
