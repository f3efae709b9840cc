/**
 * What is sent is decided at the last moment and marked as begun in that transaction. It is sent after the transaction
 * and never twice.
 */
import { DEFAULT_PUSH_SETTINGS, type PushMessage } from '@stagedoor/contract/notifications/push.ts';
import type { Context } from '../../../platform/context.ts';
import { pauseBetweenBatches } from '../../../platform/jobs/batch-throttle.ts';
import { hasVisiblePage } from '../../identity/presence/index.ts';
import { PAID_KINDS } from '../notifications/index.ts';
import { type ApnsClient, createApns } from './apns.ts';
import { getDeliveryPolicy, NORMAL_RANK, type PushRank, RING_RANK } from './delivery-policy.ts';
import { schedulePushes } from './jobs.ts';
import { createVapidSigner } from './keys.ts';
import { composePush } from './message.ts';
import { listFailingServices, type PushAttempt, saveServiceErrors, toPushAttempt } from './service-errors.ts';
import { getServiceName } from './services.ts';
import { findQuietEnd, isQuiet } from './settings.ts';
import * as store from './store.ts';
import { type PushResult, sendWebPush } from './web-push.ts';

const BATCH_SIZE = 100;
const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 60 * 60_000;
/**
 * A service that accepted nothing in a round and did not respond is paused, so that pushes to other services do not
 * wait for it again.
 */
const SERVICE_PAUSE_MS = 15_000;

type PausedServices = Map<string, number>;

const getExpiry = ({ kind, createdAt }: store.PendingPush) =>
  createdAt.getTime() + getDeliveryPolicy(kind).ttlSeconds * 1000;
/** A push to a user with a visible page waits this long, because they may read it there. */
const VISIBLE_DELAY_MS = 60_000;

const CAP_DELAY_MS = 10 * 60_000;

type Suppression = { outcome: string } | { until: Date };

function findSuppression(ctx: Context, push: store.PendingPush, pushesInHour: number): Suppression | undefined {
  const { isSentWhileVisible, ignoresLimits, canWait } = getDeliveryPolicy(push.kind);
  const now = ctx.clock.now();
  const delayBy = (ms: number) => ({ until: new Date(now.getTime() + ms) });
  if (!push.isSignedIn) return { outcome: 'left' };
  if (getExpiry(push) <= now.getTime()) return { outcome: 'late' };
  if (push.isObsolete) return { outcome: 'over' };
  if (!isSentWhileVisible && push.isRead) return { outcome: 'seen' };
  // Only what is listed in the app can be seen there. A page that is still visible after a while has shown it.
  if (!isSentWhileVisible && push.isListed && hasVisiblePage(ctx, push.userId))
    return now.getTime() - push.createdAt.getTime() < VISIBLE_DELAY_MS
      ? delayBy(VISIBLE_DELAY_MS)
      : { outcome: 'seen' };
  if (ignoresLimits) return undefined;
  if (isQuiet(push, now)) return canWait ? { until: findQuietEnd(push, now) } : { outcome: 'quiet' };
  if (pushesInHour < push.pushesPerHour) return undefined;
  return canWait ? delayBy(CAP_DELAY_MS) : { outcome: 'capped' };
}

const getOrigin = ({ endpoint }: store.PendingPush) => new URL(endpoint).origin;

/** Rings are tried even during a pause, because they are useless after it. */
function findServicePause(
  { clock }: Context,
  push: store.PendingPush,
  pausedServices: PausedServices,
): Suppression | undefined {
  const now = clock.now().getTime();
  const isPaused = !getDeliveryPolicy(push.kind).isImmediate && (pausedServices.get(getOrigin(push)) ?? 0) > now;
  return isPaused ? { until: new Date(now + SERVICE_PAUSE_MS) } : undefined;
}

function decide(ctx: Context, ready: readonly store.PendingPush[], pausedServices: PausedServices) {
  const sendable: store.PendingPush[] = [];
  const delayed: { push: store.PendingPush; until: Date }[] = [];
  const dropped: (store.PendingPush & { outcome: string })[] = [];
  const eventIdsByUser = new Map<string, Set<string>>();
  for (const push of ready) {
    const events = eventIdsByUser.get(push.userId) ?? new Set();
    eventIdsByUser.set(push.userId, events);
    // An event counts once, however many devices it is pushed to.
    const pushesInHour = push.pushesInHour + [...events].filter((id) => id !== push.eventId).length;
    const suppression = findSuppression(ctx, push, pushesInHour) ?? findServicePause(ctx, push, pausedServices);
    if (suppression && 'until' in suppression) delayed.push({ push, until: suppression.until });
    else if (suppression) dropped.push({ ...push, outcome: suppression.outcome });
    else {
      sendable.push(push);
      if (!getDeliveryPolicy(push.kind).ignoresLimits) events.add(push.eventId);
    }
  }
  return { sendable, delayed, dropped };
}

function claimPushes(
  ctx: Context,
  rank: PushRank,
  pausedServices: PausedServices,
): Promise<{ isLastBatch: boolean; sendable: store.PendingPush[] }> {
  const now = ctx.clock.now();
  return ctx.db.transaction(async (tx) => {
    const ready = await store.listPendingPushes(tx, {
      rank,
      now,
      max: BATCH_SIZE,
      defaults: DEFAULT_PUSH_SETTINGS,
      paidKinds: PAID_KINDS,
    });
    const { sendable, delayed, dropped } = decide(ctx, ready, pausedServices);
    await store.markStarted(tx, sendable, now);
    for (const [time, group] of Map.groupBy(delayed, ({ until }) => until.getTime()))
      await store.delayPushes(
        tx,
        group.map(({ push }) => push),
        new Date(time),
      );
    await store.saveOutcomes(tx, dropped);
    return { isLastBatch: ready.length < BATCH_SIZE, sendable };
  });
}

function nextAttempt(ctx: Context, push: store.PendingPush, afterMs: number | undefined): Date | undefined {
  const backoffMs = FIRST_PAUSE_MS * 2 ** Math.min(push.attempts, 10);
  const pause = Math.min(Math.max(afterMs ?? backoffMs, 1_000), LONGEST_PAUSE_MS);
  const at = ctx.clock.now().getTime() + pause;
  return at < getExpiry(push) ? new Date(at) : undefined;
}

function updatePausedServices(
  ctx: Context,
  results: readonly { origin: string; isSilent: boolean }[],
  pausedServices: PausedServices,
): void {
  for (const [origin, responses] of Map.groupBy(results, (one) => one.origin))
    if (responses.every(({ isSilent }) => isSilent))
      pausedServices.set(origin, ctx.clock.now().getTime() + SERVICE_PAUSE_MS);
    else pausedServices.delete(origin);
}

async function saveResult(ctx: Context, push: store.PendingPush, result: PushResult): Promise<void> {
  if (result.outcome === 'gone') return store.deleteDevice(ctx.db, push.deviceId);
  if (result.outcome === 'later') {
    const at = nextAttempt(ctx, push, result.afterMs);
    return at ? store.postponePush(ctx.db, push, at) : store.saveOutcomes(ctx.db, [{ ...push, outcome: 'late' }]);
  }
  if (result.outcome === 'refused')
    ctx.log.error(
      { service: new URL(push.endpoint).host, status: result.status },
      push.p256dh === null
        ? 'Apple refuses what we send: is SAFARI_PUSH_CERTIFICATE the one of SAFARI_PUSH_ID, and not over?'
        : 'a push service refuses what we send: is VAPID_PRIVATE_KEY the one that devices subscribed with?',
    );
  return store.saveOutcomes(ctx.db, [{ ...push, outcome: result.outcome }]);
}

type CountPush = (service: string, outcome: string) => void;
type PushSenders = { vapid: (origin: string) => Promise<string>; apns: ApnsClient | undefined; timeoutMs: number };

/** Safari's legacy push cannot remove what it showed, so the end of a ring is not sent to it. */
async function deliverPush(
  { vapid, apns, timeoutMs }: PushSenders,
  push: store.PendingPush,
  message: PushMessage,
  now: Date,
): Promise<PushResult> {
  const { endpoint, p256dh, auth, kind, tag } = push;
  const options = { kind, tag, now };
  if (p256dh !== null && auth !== null) {
    const authorization = await vapid(getOrigin(push));
    return sendWebPush(
      { endpoint, p256dh, auth },
      { ...options, authorization, payload: JSON.stringify(message), timeoutMs },
    );
  }
  if (!apns || message.notification.data?.close) return { outcome: 'unfit' };
  return apns.send({ ...options, endpoint, message });
}

async function sendDue(
  ctx: Context,
  {
    rank,
    pausedServices,
    countPush,
    ...senders
  }: PushSenders & { rank: PushRank; pausedServices: PausedServices; countPush: CountPush },
): Promise<void> {
  const failingServices = await listFailingServices(ctx.db);
  const sendOne = async (
    push: store.PendingPush,
  ): Promise<{ origin: string; isSilent: boolean; attempt?: PushAttempt }> => {
    const origin = getOrigin(push);
    const composed = await composePush(ctx, push).catch((error: unknown) => {
      ctx.log.error({ err: error, kind: push.kind }, 'a push could not be written');
    });
    if (!composed) {
      await saveResult(ctx, push, { outcome: 'later', afterMs: undefined });
      return { origin, isSilent: false };
    }
    const { message, smaller } = composed;
    const now = ctx.clock.now();
    const first = await deliverPush(senders, push, message, now);
    const result = first.outcome === 'tooLarge' ? await deliverPush(senders, push, smaller, now) : first;
    const attempt = toPushAttempt(getServiceName(push), result);
    countPush(attempt.service, result.outcome);
    await saveResult(ctx, push, result);
    return { origin, isSilent: first.isSilent === true, attempt };
  };
  for (;;) {
    const startedAt = performance.now();
    const { sendable, isLastBatch } = await claimPushes(ctx, rank, pausedServices);
    const results = await Promise.all(
      sendable.map((push) =>
        sendOne(push).catch((error: unknown) => {
          ctx.log.error({ err: error, kind: push.kind }, 'a push was not sent');
        }),
      ),
    );
    const completed = results.filter((one) => one !== undefined);
    updatePausedServices(ctx, completed, pausedServices);
    const attempts = completed.flatMap((one) => one.attempt ?? []);
    await saveServiceErrors(ctx.db, attempts, failingServices, ctx.clock.now());
    if (isLastBatch) break;
    if (rank === NORMAL_RANK) await pauseBetweenBatches(performance.now() - startedAt);
  }
  const next = await store.findNextDue(ctx.db, rank);
  if (next) await schedulePushes(ctx, ctx.db, rank, next);
}

/** A call during a round is handled by the next one. Rings do not wait for a round and start their own. */
export function createPushSender(
  ctx: Context,
  rank: PushRank,
  countPush: CountPush = () => undefined,
): () => Promise<void> {
  const { safari, timeoutMs } = ctx.config.push;
  const apns = safari && createApns(safari, timeoutMs);
  if (apns) ctx.realtime.onClose(apns.close);
  const options = { rank, vapid: createVapidSigner(ctx), apns, timeoutMs, countPush, pausedServices: new Map() };
  let isSending = false;
  let isRequestedAgain = false;
  if (rank === RING_RANK) return () => sendDue(ctx, options);
  return async () => {
    isRequestedAgain = true;
    if (isSending) return;
    isSending = true;
    try {
      while (isRequestedAgain) {
        isRequestedAgain = false;
        await sendDue(ctx, options);
      }
    } finally {
      isSending = false;
    }
  };
}
