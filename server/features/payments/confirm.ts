/** Asks the processor whether it knows of a sale that its own post does not prove (ccbill.com/doc/ccbill-api-guide, viewSubscriptionStatus). */
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import type { Statement, Transaction } from '../../kernel/db.ts';
import { job } from '../../kernel/jobs.ts';
import './events.ts';
import { lockEvent, settleEvent } from './events-store.ts';
import { dataLinkOf } from './reconcile.ts';

const confirmJob = job('payments.confirm', z.object({ eventId: z.string() }));
/** With pauses that grow, some hours in all: a sale may be known there a little after it is told here. */
const ATTEMPTS = 10;

const CONFIRM: Statement = {
  name: 'payments-confirm',
  text: 'update processor_events set confirmed_at = $2 where id = $1',
};

/** Has the processor asked, after the transaction. */
export function askProcessor(ctx: Context, tx: Transaction, eventId: string): Promise<void> {
  return ctx.jobs.add(tx, confirmJob, { eventId }, { key: `${confirmJob.name}:${eventId}`, maxAttempts: ATTEMPTS });
}

/** Works on the post again, with what the processor said of it; or puts it aside. Once somebody decided, nothing changes. */
async function settle(ctx: Context, eventId: string, isKnown: boolean): Promise<void> {
  const at = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    const event = await lockEvent(tx, eventId);
    if (event?.state !== 'waiting') return;
    if (isKnown) {
      await tx.run(CONFIRM, [eventId, at]);
      await tx.emit('processor.received', { eventId });
    } else await settleEvent(tx, eventId, { state: 'quarantined', reason: 'the processor did not confirm it', at });
  });
  if (!isKnown) ctx.log.warn({ eventId }, 'a post of the payment processor needs a person to look at it');
}

/** Declares the job. What the processor does not know yet, or cannot be asked about now, is asked again later. */
export function defineConfirmation(ctx: Context): void {
  ctx.jobs.define(confirmJob, async ({ eventId }, { isLast }) => {
    const event = await ctx.db.query
      .selectFrom('processor_events')
      .select(['state', 'processor_subscription_id'])
      .where('id', '=', eventId)
      .executeTakeFirst();
    if (event?.state !== 'waiting' || event.processor_subscription_id === null) return;
    try {
      const known = await dataLinkOf(ctx)?.status(event.processor_subscription_id);
      if (!known) throw new Error('the processor does not know of the sale');
    } catch (error) {
      if (!isLast) throw error;
      await settle(ctx, eventId, false);
      return;
    }
    await settle(ctx, eventId, true);
  });
}
