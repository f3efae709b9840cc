/**
 * Cancels recurring payments at the processor. The product has stopped at once, so the request is repeated until the
 * processor confirms it, also after a crash. It does nothing twice there.
 */
import type { listCardCancellations } from '@stagedoor/contract/admin/processor-webhooks.ts';
import { asCents, toUsd } from '@stagedoor/contract/shared/money.ts';
import type { ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../../platform/context.ts';
import type { DbTransaction } from '../../../../platform/database/db.ts';
import { defineJob } from '../../../../platform/jobs/jobs.ts';
import { findUserSummaries } from '../../../identity/accounts/index.ts';
import {
  AccountProblemError,
  type DataLink,
  findDataLink,
  isAccountProblem,
  RECURRING_STATUS,
} from '../../ccbill/index.ts';
import '../events.ts';
import * as texts from '../texts.ts';
import { PROCESSOR_QUEUE } from '../webhooks/confirm.ts';
import { ProcessorPausedError, queryProcessor } from './processor-pause.ts';
import {
  findRecurringPayment,
  listUnansweredCancellations,
  type RecurringPaymentRow,
  recordCancelAttempt,
  requestCancel,
  type UnansweredCancellation,
} from './store.ts';

const cancelJob = defineJob('deposits.cancelRecurring', z.object({ paymentId: z.string() }));
/** With growing pauses. After that, `repeatCancellations` continues. */
const ATTEMPTS = 8;
const HOUR_MS = 60 * 60_000;
const REPEAT_AFTER_MS = 10 * 60_000;
const MAX_PAUSE_MS = 6 * HOUR_MS;
/** The first attempts are those of the job. */
const DOUBLED_FROM = 4;
/** Usually the processor answers within seconds. */
const UNANSWERED_AFTER_MS = HOUR_MS;
const SWEEP_LIMIT = 200;

/**
 * In the transaction that stops what is paid for. Idempotent. With `isCharging` also if the processor had confirmed an
 * earlier cancellation, because it has charged the card again.
 */
export async function cancelRecurringPayment(
  tx: DbTransaction,
  paymentId: string,
  at: Date,
  { isCharging = false } = {},
): Promise<void> {
  if (await requestCancel(tx, paymentId, at, isCharging))
    await tx.emit('recurringPayment.cancelRequested', { paymentId });
}

/**
 * Returns why the processor may still charge the card, or undefined. An active subscription that is canceled does not renew.
 * Throws AccountProblemError.
 */
async function requestCancellation(dataLink: DataLink, subscriptionId: string): Promise<string | undefined> {
  const result = await dataLink.cancel(subscriptionId);
  if (result.outcome === 'done') return undefined;
  if (isAccountProblem(result.reason)) throw new AccountProblemError(result.reason);
  try {
    const status = await dataLink.status(subscriptionId);
    return status && (status.status === undefined || status.status === RECURRING_STATUS) ? result.reason : undefined;
  } catch (error) {
    if (error instanceof AccountProblemError) throw error;
    return result.reason;
  }
}

/** Throws ProcessorPausedError. */
async function findCancelProblem(ctx: Context, subscriptionId: string): Promise<string | undefined> {
  const dataLink = findDataLink(ctx);
  if (!dataLink) return texts.dataLinkNotSetUp;
  try {
    return await queryProcessor(ctx, () => requestCancellation(dataLink, subscriptionId));
  } catch (error) {
    if (error instanceof AccountProblemError) return error.message;
    throw error;
  }
}

const isCanceling = (payment: RecurringPaymentRow | undefined): payment is RecurringPaymentRow =>
  payment !== undefined && payment.cancel_requested_at !== null && payment.canceled_at === null;

/** Returns why the processor did not confirm it, or undefined. Throws ProcessorPausedError. */
async function requestFromProcessor(ctx: Context, paymentId: string): Promise<string | undefined> {
  const payment = await findRecurringPayment(ctx.db, paymentId);
  // Without a first payment there is nothing to cancel yet. A later one is refused, and canceled then.
  if (!isCanceling(payment) || payment.processor_subscription_id === null) return undefined;
  const problem = await findCancelProblem(ctx, payment.processor_subscription_id);
  await recordCancelAttempt(ctx.db, paymentId, { problem, at: ctx.clock.now() });
  if (problem !== undefined)
    ctx.log.warn({ paymentId, problem }, 'the payment processor did not confirm that it charges a card no more');
  return problem;
}

/** What pauses is left to `repeatCancellations`. */
async function requestUnlessPaused(ctx: Context, paymentId: string): Promise<string | undefined> {
  try {
    return await requestFromProcessor(ctx, paymentId);
  } catch (error) {
    if (error instanceof ProcessorPausedError) return undefined;
    throw error;
  }
}

function isDue({ attempts, attemptedAt }: UnansweredCancellation, now: Date): boolean {
  const pauseMs = Math.min(REPEAT_AFTER_MS * 2 ** Math.max(attempts - DOUBLED_FROM, 0), MAX_PAUSE_MS);
  return !attemptedAt || now.getTime() - attemptedAt.getTime() > pauseMs;
}

/** Repeats what no job is working on any more, for example after a process was killed or a pause. */
async function repeatCancellations(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const before = new Date(now.getTime() - REPEAT_AFTER_MS);
  const unanswered = await listUnansweredCancellations(ctx.db, before, SWEEP_LIMIT);
  try {
    for (const each of unanswered.filter((one) => isDue(one, now))) await requestFromProcessor(ctx, each.id);
  } catch (error) {
    if (!(error instanceof ProcessorPausedError)) throw error;
  }
}

const listOverdue = (ctx: Pick<Context, 'clock' | 'db'>) =>
  listUnansweredCancellations(ctx.db, new Date(ctx.clock.now().getTime() - UNANSWERED_AFTER_MS), SWEEP_LIMIT);

/** Cancellations that an operator should complete on the processor's own site. */
export async function viewOverdueCancellations(
  ctx: Pick<Context, 'clock' | 'db'>,
): Promise<ResponseInputOf<typeof listCardCancellations>> {
  const overdue = await listOverdue(ctx);
  const users = await findUserSummaries(
    ctx.db,
    overdue.map(({ fanId }) => fanId),
  );
  return {
    data: overdue.map(({ fanId, payableCents, requestedAt, attemptedAt, ...rest }) => ({
      ...rest,
      amount: toUsd(asCents(payableCents)),
      fan: users.get(fanId) ?? null,
      requestedAt: requestedAt.toISOString(),
      attemptedAt: attemptedAt?.toISOString() ?? null,
    })),
  };
}

async function logOverdueCancellations(ctx: Context): Promise<void> {
  const overdue = await listOverdue(ctx);
  if (overdue.length > 0)
    ctx.log.error(
      { count: overdue.length, oldestAt: overdue[0]?.requestedAt },
      'the payment processor may still charge the cards of canceled subscriptions: GET /admin/card-cancellations',
    );
}

export function registerCancellation(ctx: Context): void {
  ctx.jobs.define(
    cancelJob,
    async ({ paymentId }, { isLast }) => {
      const problem = await requestUnlessPaused(ctx, paymentId);
      if (problem !== undefined && !isAccountProblem(problem) && !isLast)
        throw new Error('the processor did not confirm the cancellation');
    },
    PROCESSOR_QUEUE.queue,
    PROCESSOR_QUEUE.capacity,
  );
  ctx.events.addJobHandler(
    'recurringPayment.cancelRequested',
    'deposits.requestCancel',
    { queue: 'money', subject: ({ paymentId }) => `recurring-payment:${paymentId}` },
    ({ payload: { paymentId } }) =>
      ctx.jobs.add(ctx.db, cancelJob, { paymentId }, { key: `${cancelJob.name}:${paymentId}`, maxAttempts: ATTEMPTS }),
  );
  ctx.jobs.schedule(
    'deposits.repeatCancellations',
    '*/5 * * * *',
    () => repeatCancellations(ctx),
    PROCESSOR_QUEUE.queue,
  );
  ctx.jobs.schedule('deposits.logOverdueCancellations', '17 * * * *', () => logOverdueCancellations(ctx));
}
