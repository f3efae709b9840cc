import { listPushFaults } from '@stagedoor/contract/admin/push.ts';
import * as contract from '@stagedoor/contract/notifications/push.ts';
import { Counter, type Registry } from 'prom-client';
import type { Context } from '../../../platform/context.ts';
import type { DomainEvent, EventPayload } from '../../../platform/events/event-types.ts';
import { getCallerNetwork } from '../../../platform/http/http.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { createId } from '../../../platform/ids.ts';
import { runThrottledStep } from '../../../platform/jobs/batch-throttle.ts';
import { getRetentionMs } from '../../../platform/retention.ts';
import { findCall, registerReachCheck } from '../../messaging/calls/index.ts';
import { listBroadcastRecipients, registerMessageListener } from '../../messaging/chat/index.ts';
import { registerNotificationChannel } from '../notifications/index.ts';
import { registerPushDeletion } from './account-deletion.ts';
import { registerPushExport } from './data-export.ts';
import { MESSAGE_KIND, NORMAL_RANK, RING_KIND, RING_RANK, URGENT_RANK } from './delivery-policy.ts';
import { subscribeDevice, unsubscribeDevice } from './devices.ts';
import { JOBS_BY_RANK, schedulePushes, schedulePushesOfKind } from './jobs.ts';
import { getPublicKey } from './keys.ts';
import { removeDevice, removeOtherDevices, viewDevices } from './own-devices.ts';
import { registerSafariPush } from './safari/routes.ts';
import { createPushSender } from './send.ts';
import { purgeServiceErrors, viewServiceErrors } from './service-errors.ts';
import { savePushSettings, setCreatorMuted, viewMutedCreators, viewPushSettings } from './settings.ts';
import {
  canRing,
  endRing,
  purgePushes,
  pushBroadcast,
  pushMessages,
  pushNotifications,
  pushRing,
  pushToFollowers,
  type WrittenMessage,
} from './store.ts';

/** Urgent pushes and pushes to many users share a queue. Each has one job at a time in a process. */
const QUEUE = 'push';
const JOB_CONCURRENCY = 3;
/** Rings have a queue of their own with several rounds at once, because silent services must be waited for. */
const RING_QUEUE = 'rings';
const RING_CONCURRENCY = 8;
/** Messages are collected for this long, so that a burst is one push and sending costs the sender nothing. */
const COLLECT_MS = 300;
const RETRY_MS = 1_000;
const BROADCAST_BATCH_SIZE = 1_000;

function collectMessages(ctx: Context): void {
  const collected = new Map<string, WrittenMessage>();
  let timer: NodeJS.Timeout | undefined;
  let isClosing = false;
  function flushAfter(ms: number): void {
    timer ??= setTimeout(() => void flush(), ms);
    timer.unref();
  }
  /** Messages that the database refused are tried again, unless a newer one of the same conversation replaced them. */
  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (collected.size === 0) return;
    const messages = [...collected.values()];
    collected.clear();
    try {
      await ctx.db.transaction(async (tx) => {
        if (await pushMessages(tx, messages, ctx.clock.now())) await schedulePushesOfKind(ctx, tx, MESSAGE_KIND);
      });
    } catch (error) {
      ctx.log.error({ err: error }, 'messages were not pushed');
      if (isClosing) return;
      for (const message of messages)
        if (!collected.has(message.conversationId)) collected.set(message.conversationId, message);
      flushAfter(RETRY_MS);
    }
  }
  registerMessageListener(ctx, 'push', ({ isFromCreator, type, ...message }) => {
    if (!isFromCreator || type === 'tipInfo' || type === 'videoCallInfo') return;
    collected.set(message.conversationId, message);
    if (isClosing) void flush();
    else flushAfter(COLLECT_MS);
  });
  // The database closes after the sockets.
  ctx.realtime.onClose(() => {
    isClosing = true;
    void flush();
  });
}

async function pushBroadcastBatch(
  ctx: Context,
  { eventId, payload }: DomainEvent<'broadcast.sent'>,
  after: string | null,
): Promise<string | null> {
  const { broadcastId, creatorId } = payload;
  return ctx.db.transaction(async (tx) => {
    const { fanIds, next } = await listBroadcastRecipients(tx, broadcastId, { after, size: BROADCAST_BATCH_SIZE });
    if (await pushBroadcast(tx, { fanIds, eventId, creatorId, now: ctx.clock.now() }))
      await schedulePushes(ctx, tx, NORMAL_RANK);
    return next;
  });
}

type CallChangedPayload = EventPayload<'call.changed'>;
const isOffered = ({ changes, isOpen }: CallChangedPayload) => isOpen && changes.includes('offered');
const hasEnded = ({ changes, isOpen }: CallChangedPayload) => !isOpen || changes.includes('answered');

async function pushCallChange(ctx: Context, changed: CallChangedPayload): Promise<void> {
  const callId = changed.callLogId;
  const call = await findCall(ctx.db, callId);
  // For a creator who blocked the fan, the call does not exist.
  if (!call || call.isScreened) return;
  const { creatorId, fanId } = call;
  const ring = { creatorId, fanId, callId, now: ctx.clock.now() };
  const isRinging = isOffered(changed) && call.endedAt === null && call.answeredAt === null;
  await ctx.db.transaction(async (tx) => {
    const isDue = isRinging
      ? await pushRing(tx, ring)
      : hasEnded(changed) && (await endRing(tx, { ...ring, id: createId(ctx.clock) }));
    if (isDue) await schedulePushesOfKind(ctx, tx, RING_KIND);
  });
}

function createPushCounter(metrics: Registry): (service: string, outcome: string) => void {
  const counter = new Counter({
    name: 'stagedoor_pushes_total',
    help: 'Pushes tried, by service and outcome',
    labelNames: ['service', 'outcome'],
    registers: [metrics],
  });
  return (service, outcome) => counter.inc({ service, outcome });
}

const PUSH_RETENTION_MS = getRetentionMs('pushes');

async function purgeExpired(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  await purgePushes(ctx.db, new Date(now.getTime() - PUSH_RETENTION_MS));
  await purgeServiceErrors(ctx.db, now);
}

/** Has the reason of a refused subscription, for developers. The body of the response is the customer's. */
const REFUSAL_HEADER = 'x-push-refusal';

export function register({ bind, ctx, metrics }: ModuleHost): void {
  registerPushDeletion(ctx);
  registerPushExport(ctx);
  const publicKey = getPublicKey(ctx.config);
  bind(contract.getPushKey, () => ({ publicKey }));
  bind(contract.subscribeToPush, async ({ actor, body, request, reply }) => {
    const holder = { ...actor, network: getCallerNetwork(request) };
    const { success, refusalReason } = await subscribeDevice(ctx, holder, body);
    if (refusalReason !== undefined && ctx.config.isDevelopment) reply.header(REFUSAL_HEADER, refusalReason);
    return { success };
  });
  bind(contract.unsubscribeFromPush, ({ actor, body }) => unsubscribeDevice(ctx, actor, body));
  bind(contract.listPushDevices, ({ actor }) => viewDevices(ctx, actor));
  bind(contract.removePushDevice, ({ actor, params }) => removeDevice(ctx, actor, params.deviceId));
  bind(contract.removeOtherPushDevices, ({ actor }) => removeOtherDevices(ctx, actor));
  bind(listPushFaults, () => viewServiceErrors(ctx.db));
  bind(contract.getPushSettings, ({ actor }) => viewPushSettings(ctx.db, actor.userId));
  bind(contract.updatePushSettings, ({ actor, body }) => savePushSettings(ctx, actor, body));
  bind(contract.listMutedCreators, ({ actor }) => viewMutedCreators(ctx, actor));
  bind(contract.updateMutedCreator, ({ actor, params, body }) =>
    setCreatorMuted(ctx, actor, params.creatorId, body.isPushEnabled),
  );

  registerSafariPush({ bind, ctx });

  registerNotificationChannel(ctx, {
    send: async (tx, kind, notifications) => {
      if (await pushNotifications(tx, kind, notifications, ctx.clock.now())) await schedulePushesOfKind(ctx, tx, kind);
    },
    sendToFollowers: async (tx, notification, fanIds) => {
      if (await pushToFollowers(tx, notification, fanIds, ctx.clock.now()))
        await schedulePushesOfKind(ctx, tx, notification.kind);
    },
  });
  collectMessages(ctx);
  registerReachCheck(ctx, (creatorId) => canRing(ctx.db, creatorId, ctx.clock.now()));
  ctx.events.addJobHandler(
    'broadcast.sent',
    'push.createForBroadcast',
    { queue: 'followers', subject: ({ broadcastId }) => `push:${broadcastId}` },
    (event, { previous, signal }) => runThrottledStep(signal, () => pushBroadcastBatch(ctx, event, previous)),
  );
  ctx.events.addJobHandler(
    'call.changed',
    'push.ring',
    {
      queue: 'rings',
      subject: ({ callLogId }) => `push:${callLogId}`,
      filter: (changed) => isOffered(changed) || hasEnded(changed),
    },
    ({ payload }) => pushCallChange(ctx, payload),
  );
  const countPush = createPushCounter(metrics);
  ctx.jobs.define(JOBS_BY_RANK[RING_RANK], createPushSender(ctx, RING_RANK, countPush), RING_QUEUE, {
    concurrency: RING_CONCURRENCY,
    wakeUpMs: 0,
  });
  ctx.jobs.define(JOBS_BY_RANK[URGENT_RANK], createPushSender(ctx, URGENT_RANK, countPush), QUEUE, {
    concurrency: JOB_CONCURRENCY,
  });
  ctx.jobs.define(JOBS_BY_RANK[NORMAL_RANK], createPushSender(ctx, NORMAL_RANK, countPush), QUEUE);
  ctx.jobs.schedule('push.purgeExpired', '47 2 * * *', () => purgeExpired(ctx));
}
