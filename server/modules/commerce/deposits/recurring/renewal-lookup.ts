/** Looks up at the processor whether a renewal was charged that no webhook has reported. */
import * as z from 'zod/mini';
import type { Context } from '../../../../platform/context.ts';
import type { DbTransaction } from '../../../../platform/database/db.ts';
import { defineJob } from '../../../../platform/jobs/jobs.ts';
import { findDataLink } from '../../ccbill/index.ts';
import { PROCESSOR_QUEUE } from '../webhooks/confirm.ts';
import { type RenewalLookup, recurringPaymentHook } from './hook.ts';
import { queryProcessor } from './processor-pause.ts';
import { countCreditedRenewals, findRecurringPayment, lockRecurringPayment } from './store.ts';

const lookUpJob = defineJob('deposits.lookUpRenewal', z.object({ paymentId: z.string() }));

/** Adds a job that calls `onLookedUp` of the hook. Does nothing while an earlier look-up is pending. */
export function requestRenewalLookup(ctx: Pick<Context, 'jobs'>, tx: DbTransaction, paymentId: string): Promise<void> {
  return ctx.jobs.add(tx, lookUpJob, { paymentId }, { key: `${lookUpJob.name}:${paymentId}`, maxAttempts: 1 });
}

/** The processor does not list transactions, only how often it charged the card. Without DataLink only webhooks count. */
async function lookUp(ctx: Context, paymentId: string): Promise<RenewalLookup> {
  const payment = await findRecurringPayment(ctx.db, paymentId);
  const dataLink = findDataLink(ctx);
  const subscriptionId = payment?.processor_subscription_id ?? null;
  if (!dataLink || subscriptionId === null) return 'unpaid';
  try {
    const status = await queryProcessor(ctx, () => dataLink.status(subscriptionId));
    if (!status) throw new Error('the processor does not know the subscription');
    return status.timesRebilled > (await countCreditedRenewals(ctx.db, paymentId)) ? 'paid' : 'unpaid';
  } catch (error) {
    ctx.log.warn({ err: error, paymentId }, 'a missing renewal could not be looked up at the payment processor');
    return 'unknown';
  }
}

export function registerRenewalLookup(ctx: Context): void {
  ctx.jobs.define(
    lookUpJob,
    async ({ paymentId }) => {
      const result = await lookUp(ctx, paymentId);
      if (result === 'paid')
        ctx.log.error(
          { paymentId },
          'the payment processor charged a card, but its webhook is missing: resend it from the processor’s site',
        );
      await ctx.db.transaction(async (tx) => {
        const hook = recurringPaymentHook.get(ctx);
        await hook.lock(tx, paymentId);
        await lockRecurringPayment(tx, paymentId);
        await hook.onLookedUp(tx, paymentId, result);
      });
    },
    PROCESSOR_QUEUE.queue,
    PROCESSOR_QUEUE.capacity,
  );
}
