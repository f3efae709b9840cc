/**
 * Hands batches over to PayPal under their own ids until the result is known, and polls their items until they are
 * final.
 */
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import { defineJob } from '../../../platform/jobs/jobs.ts';
import { arePayoutsAllowed } from '../../ledger/ledger-checks/index.ts';
import { decryptMethod } from './methods.ts';
import { createPayPal } from './paypal.ts';
import { findReturnMessage } from './present.ts';
import type { PayoutOutcome, PayoutProvider } from './provider.ts';
import { recordEvent } from './requests.ts';
import * as store from './store.ts';
import * as texts from './texts.ts';
import * as transfers from './transfer-store.ts';
import { bookStep, PAYPAL_ID_VALIDITY_MS, revertSend, type TransferReport } from './transfers.ts';

export const submitJob = defineJob('payouts.submit', z.object({ batchId: z.string() }));

const providers = new WeakMap<Pick<Context, 'config'>, PayoutProvider>();

export function findProvider(ctx: Context): PayoutProvider | undefined {
  const options = ctx.config.payouts.payPal;
  const existing = providers.get(ctx);
  if (existing || !options) return existing;
  const created = createPayPal(options, ctx.clock);
  providers.set(ctx, created);
  return created;
}

const FAILURE_MESSAGES: Readonly<Record<string, string>> = {
  RECEIVER_UNREGISTERED: texts.paypalEmailUnknown,
  RECEIVER_UNCONFIRMED: texts.paypalEmailNotConfirmed,
  RECEIVER_ACCOUNT_LOCKED: texts.paypalAccountLocked,
  RETURNED: texts.paypalPaymentUnclaimed,
};
const getFailureReason = (code: string) =>
  FAILURE_MESSAGES[code] ?? findReturnMessage(code) ?? formatText(texts.paypalPayoutFailed, { code });

function toTransferReport(
  outcome: Exclude<PayoutOutcome, { state: 'unknown' | 'none' | 'refused' }>,
  byId: string | null,
): TransferReport {
  const reference = outcome.ref ?? undefined;
  const reason = 'code' in outcome ? getFailureReason(outcome.code) : '';
  const step = ({ accepted: 'sent', paid: 'paid', failed: 'failed', returned: 'returned' } as const)[outcome.state];
  return { step, reason, reference, byId };
}

const formatRefusal = (detail: string) => formatText(texts.paypalRefusal, { reason: detail });

/**
 * Books an item state and returns whether anything changed. Unknown items and items in transit stay as they are. Throws
 * CONFLICT when the opposite is booked.
 */
export async function bookOutcome(
  ctx: Context,
  tx: DbTransaction,
  { id, batchId }: { id: string; batchId: string | null },
  outcome: PayoutOutcome,
  byId: string | null,
): Promise<boolean> {
  if (outcome.state === 'unknown' || outcome.state === 'none') return false;
  if (outcome.state !== 'refused') return bookStep(ctx, tx, id, toTransferReport(outcome, byId));
  if (batchId === null) return false;
  const isNew = await revertSend(ctx, tx, id, { batchId, reason: formatRefusal(outcome.detail), byId });
  if (isNew)
    ctx.log.error({ payoutId: id, code: outcome.code }, 'PayPal refused a payout for us: it waits to be sent again');
  return isNew;
}

export async function settleItem(
  ctx: Context,
  payout: { id: string; batchId: string | null },
  outcome: PayoutOutcome,
): Promise<void> {
  await ctx.db.transaction((tx) => bookOutcome(ctx, tx, payout, outcome, null));
}

/**
 * Returns all requests of a refused batch to the list of those to send, or none. Returns false when an earlier request
 * to PayPal got no response, because the batch may have been accepted.
 */
async function refuseWholeBatch(
  ctx: Context,
  batchId: string,
  { code, detail, after }: { code: string; detail: string; after: 'submitting' | 'accepted' },
): Promise<boolean> {
  const isRefused = await ctx.db.transaction(async (tx) => {
    // Locks the requests before their batch, in the same order as status reports do.
    const ids = await transfers.lockBatchRequests(tx, batchId);
    const reason = formatRefusal(detail);
    if (!(await transfers.refuseBatch(tx, batchId, { after, detail: reason, at: ctx.clock.now() }))) return false;
    for (const id of ids) {
      const status = (await store.findPayout(tx, id))?.status;
      // Some items of an accepted batch may already be final.
      if (status === 'approved') await revertSend(ctx, tx, id, { batchId, reason, byId: null });
    }
    return true;
  });
  if (isRefused) ctx.log.error({ batchId, code }, 'PayPal refused a batch of payouts: they wait to be sent again');
  return isRefused;
}

export async function recordAccepted(ctx: Context, batchId: string, ref: string): Promise<void> {
  const update = { state: 'sent', ref, detail: null, at: ctx.clock.now() } as const;
  if (!(await transfers.setBatch(ctx.db, batchId, update))) return;
  for (const { id } of await transfers.listBatchRequests(ctx.db, batchId))
    await settleItem(ctx, { id, batchId }, { state: 'accepted', ref: null });
}

async function recordUnknown(ctx: Context, batchId: string, wasUnknown: boolean, reason: string): Promise<never> {
  const at = ctx.clock.now();
  const isNew = await transfers.setBatch(ctx.db, batchId, { state: 'unknown', ref: null, detail: reason, at });
  if (isNew && !wasUnknown)
    await ctx.db.transaction(async (tx) => {
      for (const row of await transfers.listBatchRequests(tx, batchId))
        await recordEvent(tx, row, { event: 'unknown', at, byId: null });
    });
  throw new Error(`a batch of payouts is not sure: ${reason}`);
}

/** Hands a batch over to PayPal. Throws while the result is unknown, so that the job retries with the same id. */
export async function submitBatch(ctx: Context, batchId: string): Promise<void> {
  const provider = findProvider(ctx);
  const batch = await transfers.findBatch(ctx.db, batchId);
  if (!provider || !batch || (batch.state !== 'sending' && batch.state !== 'unknown')) return;
  // During an alarm a batch that was never handed over waits for the next run. One that may have been handed over is
  // still queried.
  if (batch.state === 'sending' && !(await arePayoutsAllowed(ctx.db))) return;
  const rows = await transfers.listBatchRequests(ctx.db, batchId);
  const now = ctx.clock.now();
  if (now.getTime() - batch.created_at.getTime() > PAYPAL_ID_VALIDITY_MS) {
    ctx.log.error(
      { batchId },
      'it is unknown whether PayPal paid these out, and its API no longer answers: check in PayPal',
    );
    return;
  }
  const methods = await transfers.loadMethodsById(
    ctx.db,
    rows.map((row) => row.method_id),
  );
  const items = rows.map((row) => {
    const method = methods.get(row.method_id);
    const details = method && decryptMethod(ctx, method);
    if (details?.kind !== 'paypal') throw new Error('PayPal pays to its own accounts alone');
    return { id: row.id, receiver: details.email, cents: row.amount_cents - row.fee_cents };
  });
  let isKnown = false;
  const outcome = await provider.submit(items, batchId, async () => {
    // A concurrent or killed attempt is counted as well.
    isKnown = !(await transfers.countSubmitAttempt(ctx.db, batchId));
    return !isKnown;
  });
  if (isKnown) return;
  const wasUnknown = batch.state === 'unknown';
  if (outcome.state === 'accepted' && outcome.ref !== null) return recordAccepted(ctx, batchId, outcome.ref);
  if (outcome.state !== 'refused')
    return recordUnknown(ctx, batchId, wasUnknown, outcome.state === 'unknown' ? outcome.reason : outcome.state);
  await transfers.uncountSubmitAttempt(ctx.db, batchId);
  if (await refuseWholeBatch(ctx, batchId, { ...outcome, after: 'submitting' })) return;
  const { code, detail } = outcome;
  // PayPal may have accepted the batch in an earlier attempt, so this refusal proves nothing.
  ctx.log.error({ batchId, code }, 'PayPal refuses a batch that it may have accepted before: check in PayPal');
  const refusal = formatRefusal(detail);
  await recordUnknown(ctx, batchId, wasUnknown, formatText(texts.refusedButMaybePaid, { refusal }));
}

export async function settleBatch(
  ctx: Context,
  { id, provider_ref: ref }: { id: string; provider_ref: string | null },
): Promise<void> {
  const outcomes = ref === null ? undefined : await findProvider(ctx)?.items(ref);
  if (!outcomes) return;
  const { denied } = outcomes;
  for (const row of await transfers.listBatchRequests(ctx.db, id)) {
    const outcome = outcomes.get(row.id);
    try {
      if (outcome && !(denied !== undefined && outcome.state === 'refused'))
        await settleItem(ctx, { id: row.id, batchId: id }, outcome);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      ctx.log.error(
        { payoutId: row.id, state: outcome?.state },
        `PayPal says of a payout what cannot be: ${error.message}`,
      );
    }
  }
  if (denied !== undefined) await refuseWholeBatch(ctx, id, { code: denied, detail: denied, after: 'accepted' });
}

export async function pollPayPal(ctx: Context): Promise<void> {
  const provider = findProvider(ctx);
  if (!provider) return;
  for (const batch of await transfers.listOpenBatches(ctx.db)) {
    if (batch.provider_ref === null) {
      await ctx.jobs.add(ctx.db, submitJob, { batchId: batch.id }, { key: `payouts.submit:${batch.id}` });
      continue;
    }
    try {
      await settleBatch(ctx, batch);
    } catch (error) {
      ctx.log.warn({ err: error, batchId: batch.id }, 'PayPal was queried about payouts and did not respond');
    }
  }
}

export function registerSubmission(ctx: Context): void {
  // Shares a queue with other external queries, so that an unresponsive PayPal delays no other work.
  ctx.jobs.define(submitJob, ({ batchId }) => submitBatch(ctx, batchId), 'comparing');
  ctx.jobs.schedule('payouts.pollPayPal', '19 * * * *', () => pollPayPal(ctx), 'comparing');
}
