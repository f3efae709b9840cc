/**
 * Confirms a sale with the processor when its webhook does not prove it (ccbill.com/doc/ccbill-api-guide,
 * viewSubscriptionStatus).
 */
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import type { Statement, Transaction } from '../../kernel/db.ts';
import { job } from '../../kernel/jobs.ts';
import type { SubscriptionStatus } from './ccbill/datalink.ts';
import { CLOCK_SKEW_MS } from './ccbill/verify.ts';
import './events.ts';
import { lockEventOfSale, settleEvent } from './events-store.ts';
import { dataLinkOf } from './reconcile.ts';

const confirmJob = job('payments.confirm', z.object({ eventId: z.string() }));
/** Attempts with growing pauses cover some hours, because the processor may list a sale a little after its webhook. */
const ATTEMPTS = 10;

const CONFIRM: Statement = {
  name: 'payments-confirm',
  text: 'update processor_events set confirmed_at = $2 where id = $1',
};

export function askProcessor(ctx: Context, tx: Transaction, eventId: string): Promise<void> {
  return ctx.jobs.add(tx, confirmJob, { eventId }, { key: `${confirmJob.name}:${eventId}`, maxAttempts: ATTEMPTS });
}

class Unfit extends Error {}

async function settle(ctx: Context, eventId: string, problem: string | undefined): Promise<void> {
  const at = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    const event = await lockEventOfSale(tx, eventId);
    if (event?.state !== 'waiting') return;
    if (problem === undefined) {
      await tx.run(CONFIRM, [eventId, at]);
      await tx.emit('processor.received', { eventId });
    } else await settleEvent(tx, eventId, { state: 'quarantined', reason: problem, at });
  });
  if (problem !== undefined)
    ctx.log.warn({ eventId, reason: problem }, 'a webhook of the payment processor needs a decision by an operator');
}

function requireFit(status: SubscriptionStatus, order: { created_at: Date; expires_at: Date }): void {
  const { signedUpAt, refundsIssued, voidsIssued, chargebacksIssued } = status;
  if (refundsIssued + voidsIssued + chargebacksIssued > 0)
    throw new Unfit('the processor reports that it was refunded, voided or charged back');
  const soldAt = signedUpAt?.getTime() ?? 0;
  if (soldAt < order.created_at.getTime() - CLOCK_SKEW_MS || soldAt > order.expires_at.getTime() + CLOCK_SKEW_MS)
    throw new Unfit('the processor reports a different sale date');
}

/** Jobs that query the processor have their own queue, so that an unresponsive processor delays nothing else. */
export const ASKING = { lane: 'processor', room: { atOnce: 4 } } as const;

/** Queries a sale. Throws, so that the job retries, when the processor does not know the sale yet or is unreachable. */
async function confirm(ctx: Context, eventId: string, isLast: boolean): Promise<void> {
  const event = await ctx.db.query
    .selectFrom('processor_events as e')
    .innerJoin('deposits as d', 'd.id', 'e.deposit_id')
    .select(['e.state', 'e.processor_subscription_id', 'd.created_at', 'd.expires_at'])
    .where('e.id', '=', eventId)
    .executeTakeFirst();
  if (event?.state !== 'waiting' || event.processor_subscription_id === null) return;
  try {
    const known = await dataLinkOf(ctx)?.status(event.processor_subscription_id);
    if (!known) throw new Error('the processor does not know the sale');
    requireFit(known, event);
  } catch (error) {
    if (error instanceof Unfit) return settle(ctx, eventId, error.message);
    if (!isLast) throw error;
    return settle(ctx, eventId, 'the processor did not confirm it');
  }
  return settle(ctx, eventId, undefined);
}

export function defineConfirmation(ctx: Context): void {
  ctx.jobs.define(confirmJob, ({ eventId }, { isLast }) => confirm(ctx, eventId, isLast), ASKING.lane, ASKING.room);
}
