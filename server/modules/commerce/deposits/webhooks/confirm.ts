/**
 * Confirms a sale with the processor when its webhook does not prove it (ccbill.com/doc/ccbill-api-guide,
 * viewSubscriptionStatus).
 */
import * as z from 'zod/mini';
import type { Context } from '../../../../platform/context.ts';
import type { DbTransaction, SqlStatement } from '../../../../platform/database/db.ts';
import { defineJob } from '../../../../platform/jobs/jobs.ts';
import { CLOCK_SKEW_MS, findDataLink, type SubscriptionStatus } from '../../ccbill/index.ts';
import '../events.ts';
import { queryProcessor } from '../recurring/processor-pause.ts';
import { confirmRenewalCount, countCreditedRenewals, findRecurringByProcessorId } from '../recurring/store.ts';
import { lockWebhookAndSale, settleWebhook } from './store.ts';

const confirmJob = defineJob('deposits.confirm', z.object({ webhookId: z.string() }));
/** Attempts with growing pauses cover some hours, because the processor may list a sale a little after its webhook. */
const ATTEMPTS = 10;

const CONFIRM: SqlStatement = {
  name: 'deposits-confirm',
  text: 'update processor_webhooks set confirmed_at = $2 where id = $1',
};

export function requestConfirmation(ctx: Context, tx: DbTransaction, webhookId: string): Promise<void> {
  return ctx.jobs.add(tx, confirmJob, { webhookId }, { key: `${confirmJob.name}:${webhookId}`, maxAttempts: ATTEMPTS });
}

class UnfitSaleError extends Error {}
/** The processor responded, and does not know what is confirmed, or not yet. */
class UnknownSaleError extends Error {}

const UNREACHABLE = 'the processor could not be reached';

async function settleConfirmation(ctx: Context, webhookId: string, problem: string | undefined): Promise<void> {
  const at = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    const webhook = await lockWebhookAndSale(tx, webhookId);
    if (webhook?.state !== 'waiting') return;
    if (problem === undefined) {
      await tx.run(CONFIRM, [webhookId, at]);
      await tx.emit('processor.received', { webhookId });
    } else await settleWebhook(tx, webhookId, { state: 'quarantined', reason: problem, at });
  });
  if (problem !== undefined)
    ctx.log.warn({ webhookId, reason: problem }, 'a webhook of the payment processor needs a decision by an operator');
}

/** The sweep of waiting webhooks requests the confirmation again. */
async function continueWaiting(ctx: Context, webhookId: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const webhook = await lockWebhookAndSale(tx, webhookId);
    if (webhook?.state !== 'waiting') return;
    await settleWebhook(tx, webhookId, { state: 'waiting', reason: UNREACHABLE, at: ctx.clock.now() });
  });
}

function requireFittingSale(status: SubscriptionStatus, order: { created_at: Date; expires_at: Date }): void {
  const { signedUpAt, refundsIssued, voidsIssued, chargebacksIssued } = status;
  if (refundsIssued + voidsIssued + chargebacksIssued > 0)
    throw new UnfitSaleError('the processor reports that it was refunded, voided or charged back');
  const soldAt = signedUpAt?.getTime() ?? 0;
  if (soldAt < order.created_at.getTime() - CLOCK_SKEW_MS || soldAt > order.expires_at.getTime() + CLOCK_SKEW_MS)
    throw new UnfitSaleError('the processor reports a different sale date');
}

/**
 * The processor does not list the transactions of a subscription, but it counts them. No more renewals are credited than it
 * counted, so a forged webhook can only replace a real one of the same amount. Throws if all counted ones are credited.
 */
async function confirmRenewals(
  ctx: Context,
  provider: string,
  subscriptionId: string,
  { timesRebilled }: SubscriptionStatus,
): Promise<void> {
  const payment = await findRecurringByProcessorId(ctx.db, provider, subscriptionId);
  if (!payment || (await countCreditedRenewals(ctx.db, payment.id)) >= timesRebilled)
    throw new UnknownSaleError('the processor does not know the renewal');
  await confirmRenewalCount(ctx.db, payment.id, timesRebilled);
}

/** Jobs that query the processor have their own queue, so that an unresponsive processor delays nothing else. */
export const PROCESSOR_QUEUE = { queue: 'processor', capacity: { concurrency: 4 } } as const;

/** Queries a sale. Throws, so that the job retries, when the processor does not know the sale yet or is unreachable. */
async function confirm(ctx: Context, webhookId: string, isLast: boolean): Promise<void> {
  const webhook = await ctx.db.query
    .selectFrom('processor_webhooks as e')
    .leftJoin('deposits as d', 'd.id', 'e.deposit_id')
    .select(['e.state', 'e.event_type', 'e.provider', 'e.processor_subscription_id', 'd.created_at', 'd.expires_at'])
    .where('e.id', '=', webhookId)
    .executeTakeFirst();
  if (webhook?.state !== 'waiting' || webhook.processor_subscription_id === null) return;
  const { created_at: createdAt, expires_at: expiresAt, processor_subscription_id: subscriptionId } = webhook;
  try {
    const dataLink = findDataLink(ctx);
    const saleStatus = dataLink && (await queryProcessor(ctx, () => dataLink.status(subscriptionId)));
    if (!saleStatus) throw new UnknownSaleError('the processor does not know the sale');
    if (webhook.event_type === 'RenewalSuccess')
      await confirmRenewals(ctx, webhook.provider, subscriptionId, saleStatus);
    else if (createdAt && expiresAt) requireFittingSale(saleStatus, { created_at: createdAt, expires_at: expiresAt });
    else return;
  } catch (error) {
    if (error instanceof UnfitSaleError) return settleConfirmation(ctx, webhookId, error.message);
    if (!isLast) throw error;
    if (!(error instanceof UnknownSaleError)) return continueWaiting(ctx, webhookId);
    return settleConfirmation(ctx, webhookId, 'the processor did not confirm it');
  }
  return settleConfirmation(ctx, webhookId, undefined);
}

export function defineConfirmation(ctx: Context): void {
  ctx.jobs.define(
    confirmJob,
    ({ webhookId }, { isLast }) => confirm(ctx, webhookId, isLast),
    PROCESSOR_QUEUE.queue,
    PROCESSOR_QUEUE.capacity,
  );
}
