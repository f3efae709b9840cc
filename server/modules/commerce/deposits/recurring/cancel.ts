/**
 * Cancels recurring payments at the processor. The request is repeated until the processor confirms it, also after a crash.
 * A cancellation is idempotent there.
 */
import type { listCardCancellations } from '@stagedoor/contract/admin/processor-webhooks.ts';
import { asCents, toUsd } from '@stagedoor/contract/shared/money.ts';
import type { ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../../platform/context.ts';
import type { DbTransaction, Executor } from '../../../../platform/database/db.ts';
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
  countUnconfirmedCancellations,
  findRecurringPayment,
  listCancellationsToRepeat,
  listUnconfirmedCancellations,
  type RecurringPaymentRow,
  recordCancelAttempt,
  requestCancel,
  type UnconfirmedCancellation,
} from './store.ts';

const cancelJob = defineJob('deposits.cancelRecurring', z.object({ paymentId: z.string() }));
/** Attempts of the job, with growing pauses. `repeatCancellations` continues after them. */
const ATTEMPTS = 8;
const HOUR_MS = 60 * 60_000;
const REPEAT_AFTER_MS = 10 * 60_000;
const MAX_PAUSE_MS = 6 * HOUR_MS;
/** The number of attempts after which each pause is twice as long as the one before. */
const DOUBLED_FROM = 4;
/** Usually the processor confirms within seconds. */
const OVERDUE_AFTER_MS = HOUR_MS;
const SWEEP_LIMIT = 200;
/** Shorter than the interval of the schedule, because the processor may take long to respond. */
const MAX_RUN_MS = 4 * 60_000;

/**
 * Call it in the transaction that stops the paid product. Idempotent. `isCharging` repeats a cancellation that the processor
 * had confirmed, because it has charged the card again.
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
 * Returns why the processor may still charge the card, or undefined. A canceled subscription stays active at the processor
 * until its period ends, but does not renew. Throws AccountProblemError.
 */
async function requestCancellation(dataLink: DataLink, subscriptionId: string): Promise<string | undefined> {
  const result = await dataLink.cancel(subscriptionId);
  if (result.outcome === 'done') return undefined;
  if (isAccountProblem(result.reason)) throw new AccountProblemError(result.reason);
  try {
    const status = await dataLink.status(subscriptionId);
    // A sale that the processor does not list yet may still recur.
    const isStopped = status?.status !== undefined && status.status !== RECURRING_STATUS;
    return isStopped ? undefined : result.reason;
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

/** Returns why the processor did not confirm the cancellation, or undefined. Throws ProcessorPausedError. */
async function requestFromProcessor(ctx: Context, paymentId: string): Promise<string | undefined> {
  const payment = await findRecurringPayment(ctx.db, paymentId);
  // Without a first payment there is nothing to cancel. If it comes later, it is refused and then canceled.
  if (!isCanceling(payment) || payment.processor_subscription_id === null) return undefined;
  const problem = await findCancelProblem(ctx, payment.processor_subscription_id);
  await recordCancelAttempt(ctx.db, paymentId, { problem, at: ctx.clock.now() });
  if (problem !== undefined)
    ctx.log.warn({ paymentId, problem }, 'the payment processor did not confirm that it no longer charges a card');
  return problem;
}

/** Leaves the cancellation to `repeatCancellations` while requests to the processor are paused. */
async function requestUnlessPaused(ctx: Context, paymentId: string): Promise<string | undefined> {
  try {
    return await requestFromProcessor(ctx, paymentId);
  } catch (error) {
    if (error instanceof ProcessorPausedError) return undefined;
    throw error;
  }
}

function isDue({ attempts, attemptedAt }: UnconfirmedCancellation, now: Date): boolean {
  const pauseMs = Math.min(REPEAT_AFTER_MS * 2 ** Math.max(attempts - DOUBLED_FROM, 0), MAX_PAUSE_MS);
  return !attemptedAt || now.getTime() - attemptedAt.getTime() > pauseMs;
}

/** Repeats cancellations that no job repeats any more, for example after a process was killed or a pause. */
async function repeatCancellations(ctx: Context, signal?: AbortSignal): Promise<void> {
  const startedAt = performance.now();
  const now = ctx.clock.now();
  const before = new Date(now.getTime() - REPEAT_AFTER_MS);
  const unconfirmed = await listCancellationsToRepeat(ctx.db, before, SWEEP_LIMIT);
  try {
    for (const each of unconfirmed.filter((one) => isDue(one, now))) {
      if (signal?.aborted || performance.now() - startedAt > MAX_RUN_MS) return;
      await requestFromProcessor(ctx, each.id);
    }
  } catch (error) {
    if (!(error instanceof ProcessorPausedError)) throw error;
  }
}

const toOverdueTime = (now: Date) => new Date(now.getTime() - OVERDUE_AFTER_MS);
const listOverdue = (ctx: Pick<Context, 'clock' | 'db'>) =>
  listUnconfirmedCancellations(ctx.db, toOverdueTime(ctx.clock.now()), SWEEP_LIMIT);
export const countOverdueCancellations = (db: Executor, now: Date) =>
  countUnconfirmedCancellations(db, toOverdueTime(now));

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
    (signal) => repeatCancellations(ctx, signal),
    PROCESSOR_QUEUE.queue,
  );
  ctx.jobs.schedule('deposits.logOverdueCancellations', '17 * * * *', () => logOverdueCancellations(ctx));
}
