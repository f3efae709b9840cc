import * as contract from '@stagedoor/contract/push.ts';
import { listPushFaults } from '@stagedoor/contract/push-desk.ts';
import { Counter, type Registry } from 'prom-client';
import type { Server } from '../../../kernel/bind.ts';
import type { Context } from '../../../kernel/context.ts';
import type { EventPayload, Told } from '../../../kernel/events.ts';
import { callerNetwork } from '../../../kernel/http.ts';
import { newId } from '../../../kernel/ids.ts';
import { restingStep } from '../../../kernel/rest.ts';
import { findCall, registerReach } from '../../calls/index.ts';
import { broadcastRecipients, hearMessages } from '../../chat/index.ts';
import { subscribe, unsubscribe } from './devices.ts';
import { viewFaults } from './faults.ts';
import { JOB_OF, sendKind, sendSoon } from './jobs.ts';
import { publicKeyOf } from './keys.ts';
import { removeDevice, removeOthers, viewDevices } from './own-devices.ts';
import { registerSafariPush } from './safari/routes.ts';
import { createSending } from './send.ts';
import { changeBell, changeSettings, viewBells, viewSettings } from './settings.ts';
import { canRing, endRing, pushBroadcast, pushRing, pushWritten, type Written } from './store.ts';
import { HURRIES, MESSAGE, OTHERS, RING, RINGS } from './ways.ts';

/** Urgent pushes and pushes to many users share a queue. Each has one job at a time in a process. */
const LANE = 'push';
const JOBS_AT_ONCE = 3;
/** Rings have a queue of their own with several rounds at once, because silent services must be waited for. */
const RINGS_LANE = 'rings';
const RINGS_AT_ONCE = 8;
/** Messages are collected for this long, so that a burst is one push and sending costs the sender nothing. */
const GATHER_MS = 300;
const BROADCAST_CHUNK = 1_000;

function gatherMessages(ctx: Context): void {
  const gathered = new Map<string, Written>();
  let timer: NodeJS.Timeout | undefined;
  let isClosing = false;
  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (gathered.size === 0) return;
    const written = [...gathered.values()];
    gathered.clear();
    await ctx.db.transaction(async (tx) => {
      if (await pushWritten(tx, written, ctx.clock.now())) await sendKind(ctx, tx, MESSAGE);
    });
  }
  const flushSafely = () =>
    void flush().catch((error: unknown) => ctx.log.error({ err: error }, 'messages were not pushed'));
  hearMessages(ctx, ({ isFromCreator, type, ...message }) => {
    if (!isFromCreator || type === 'tipInfo' || type === 'videoCallInfo') return;
    gathered.set(message.conversationId, message);
    if (isClosing) return flushSafely();
    timer ??= setTimeout(flushSafely, GATHER_MS);
    timer.unref();
  });
  // The database closes after the sockets.
  ctx.realtime.onClose(() => {
    isClosing = true;
    flushSafely();
  });
}

async function pushNextOfBroadcast(
  ctx: Context,
  { eventId, payload }: Told<'broadcast.sent'>,
  after: string | null,
): Promise<string | null> {
  const { broadcastId, creatorId } = payload;
  return ctx.db.transaction(async (tx) => {
    const { fanIds, next } = await broadcastRecipients(tx, broadcastId, { after, size: BROADCAST_CHUNK });
    if (await pushBroadcast(tx, { fanIds, eventId, creatorId, now: ctx.clock.now() })) await sendSoon(ctx, tx, OTHERS);
    return next;
  });
}

type Changed = EventPayload<'call.changed'>;
const isOffered = ({ news, isOpen }: Changed) => isOpen && news.includes('offered');
const hasEnded = ({ news, isOpen }: Changed) => !isOpen || news.includes('answered');

async function ring(ctx: Context, changed: Changed): Promise<void> {
  const callId = changed.callLogId;
  const call = await findCall(ctx.db, callId);
  // For a creator who blocked the fan, the call does not exist.
  if (!call || call.isScreened) return;
  const { creatorId, fanId } = call;
  const told = { creatorId, fanId, callId, now: ctx.clock.now() };
  const isRinging = isOffered(changed) && call.endedAt === null && call.answeredAt === null;
  await ctx.db.transaction(async (tx) => {
    const isDue = isRinging
      ? await pushRing(tx, told)
      : hasEnded(changed) && (await endRing(tx, { ...told, id: newId(ctx.clock) }));
    if (isDue) await sendKind(ctx, tx, RING);
  });
}

function countPushes(metrics: Registry): (service: string, outcome: string) => void {
  const counter = new Counter({
    name: 'stagedoor_pushes_total',
    help: 'Pushes tried, by service and outcome',
    labelNames: ['service', 'outcome'],
    registers: [metrics],
  });
  return (service, outcome) => counter.inc({ service, outcome });
}

export function registerPush({ bind, ctx, metrics }: Pick<Server, 'bind' | 'ctx' | 'metrics'>): void {
  const publicKey = publicKeyOf(ctx.config);
  bind(contract.pushKey, () => ({ publicKey }));
  bind(contract.subscribeToPush, ({ actor, body, request }) =>
    subscribe(ctx, { ...actor, network: callerNetwork(request) }, body),
  );
  bind(contract.unsubscribeFromPush, ({ actor, body }) => unsubscribe(ctx, actor, body));
  bind(contract.listPushDevices, ({ actor }) => viewDevices(ctx, actor));
  bind(contract.removePushDevice, ({ actor, params }) => removeDevice(ctx, actor, params.deviceId));
  bind(contract.removeOtherPushDevices, ({ actor }) => removeOthers(ctx, actor));
  bind(listPushFaults, () => viewFaults(ctx.db));
  bind(contract.getPushSettings, ({ actor }) => viewSettings(ctx.db, actor.userId));
  bind(contract.changePushSettings, ({ actor, body }) => changeSettings(ctx, actor, body));
  bind(contract.listBells, ({ actor }) => viewBells(ctx, actor));
  bind(contract.changeBell, ({ actor, params, body }) => changeBell(ctx, actor, params.creatorId, body.isOn));

  registerSafariPush({ bind, ctx });

  gatherMessages(ctx);
  registerReach(ctx, (creatorId) => canRing(ctx.db, creatorId, ctx.clock.now()));
  ctx.events.do(
    'broadcast.sent',
    'push.broadcast',
    { lane: 'followers', subject: ({ broadcastId }) => `push:${broadcastId}` },
    (event, { from, signal }) => restingStep(signal, () => pushNextOfBroadcast(ctx, event, from)),
  );
  ctx.events.do(
    'call.changed',
    'push.ring',
    {
      lane: 'rings',
      subject: ({ callLogId }) => `push:${callLogId}`,
      when: (changed) => isOffered(changed) || hasEnded(changed),
    },
    ({ payload }) => ring(ctx, payload),
  );
  const counted = countPushes(metrics);
  ctx.jobs.define(JOB_OF[RINGS], createSending(ctx, RINGS, counted), RINGS_LANE, { atOnce: RINGS_AT_ONCE });
  ctx.jobs.define(JOB_OF[HURRIES], createSending(ctx, HURRIES, counted), LANE, { atOnce: JOBS_AT_ONCE });
  ctx.jobs.define(JOB_OF[OTHERS], createSending(ctx, OTHERS, counted), LANE);
}
