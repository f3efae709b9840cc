import * as live from '@stagedoor/contract/messaging/calls-events.ts';
import { userId } from '@stagedoor/contract/shared/ids.ts';
import { toUsd } from '@stagedoor/contract/shared/money.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';
import type { EventPayload } from '../../../platform/events/event-types.ts';
import { lockSpendable } from '../../commerce/sales/index.ts';
import { findUserSummaries } from '../../identity/accounts/index.ts';
import { emitToWatchers, setAllBusy, setBusy } from '../../identity/presence/index.ts';
import { getBlocksBetween, writeCallMessage } from '../chat/index.ts';
import { findCall } from './call/access.ts';
import { type Call, getCallUserId, getReasonFor, SIDES } from './call/sides.ts';
import { applyEvent } from './call/state-machine.ts';
import { runCallStep } from './call/step.ts';
import { calculateRingLeftMs, getCurrentTime, presentCallSession, presentUser, viewClock } from './call/view.ts';
import { clearHeartbeats, deleteHeartbeats } from './clock/heartbeats.ts';
import type { CallChange } from './events.ts';
import { getCallProvider } from './signalling/open-provider.ts';
import type { CallCache } from './signalling/relay.ts';
import { getStoredSettings, presentSettings } from './terms/call-settings.ts';
import { replaceCallerTier } from './terms/callers.ts';
import { isUnreachable } from './terms/reach.ts';
import './events.ts';

type CallChangedPayload = EventPayload<'call.changed'>;
type EmitChange = (ctx: Context, call: Call, changed: CallChangedPayload) => Promise<void> | void;

async function emitOffer(ctx: Context, call: Call): Promise<void> {
  const { id, fanId, creatorId, kind, status, fanDevice } = call;
  ctx.realtime.emitToUser(fanId, live.callOfferFan, {
    ...{ callLogId: id, creatorId, type: kind, status, device: fanDevice },
  });
  if (await isUnreachable(ctx, creatorId))
    return void (await runCallStep(ctx, id, (step) => void applyEvent(step, 'unreachable')));
  const { username, name, avatarUrl } = presentUser(await findUserSummaries(ctx.db, [fanId]), fanId);
  ctx.realtime.emitToUser(creatorId, live.callOffer, {
    ...{ callLogId: id, customerId: fanId, contentType: kind, username, name, picture: avatarUrl },
    status: 'ringing',
    session: presentCallSession(ctx, call, 'creator'),
    ringLeftMs: calculateRingLeftMs(call, await getCurrentTime(ctx)) ?? 0,
  });
}

function emitAnswered(ctx: Context, { id, fanId, creatorId, fanDevice, creatorDevice }: Call): void {
  if (creatorDevice === null) return;
  const [fanDeviceId, creatorDeviceId] = [fanDevice, creatorDevice];
  ctx.realtime.emitToUser(fanId, live.beginCall, { callLogId: id, device: fanDeviceId, otherDevice: creatorDeviceId });
  ctx.realtime.emitToUser(creatorId, live.beginCall, {
    callLogId: id,
    device: creatorDeviceId,
    otherDevice: fanDeviceId,
  });
}

function emitMoved(
  ctx: Context,
  { id, fanId, creatorId, fanDevice, creatorDevice }: Call,
  { movedUserId }: CallChangedPayload,
): void {
  const device = movedUserId === fanId ? fanDevice : creatorDevice;
  if (movedUserId === null || device === null) return;
  for (const userId of [fanId, creatorId])
    ctx.realtime.emitToUser(userId, live.callTakenOver, { callLogId: id, userId: movedUserId, device });
}

async function emitClock(ctx: Context, call: Call, { warnSeconds }: CallChangedPayload): Promise<void> {
  const at = await getCurrentTime(ctx);
  for (const side of SIDES)
    ctx.realtime.emitToUser(getCallUserId(call, side), live.callClockChanged, {
      callLogId: call.id,
      clock: await viewClock(ctx, call, side, at),
      warnSeconds: side === 'fan' ? warnSeconds : null,
    });
}

function emitEnded(ctx: Context, call: Call): void {
  const { id, status, connectedMs, chargedCents, netCents, isScreened } = call;
  const amounts = { fan: chargedCents, creator: netCents };
  for (const side of SIDES) {
    if (side === 'creator' && isScreened) continue;
    ctx.realtime.emitToUser(getCallUserId(call, side), live.callEnded, {
      ...{ callLogId: id, status, durationSeconds: Math.floor(connectedMs / 1000) },
      reason: getReasonFor(call, side),
      amount: toUsd(amounts[side]),
    });
  }
}

const EMITTERS: Readonly<Record<CallChange, EmitChange>> = {
  offered: emitOffer,
  rang: (ctx, { id, fanId }) => ctx.realtime.emitToUser(fanId, live.callRinging, { callLogId: id }),
  answered: emitAnswered,
  tookOver: emitMoved,
  started: (ctx, { id, startedAt, ...sides }) => {
    if (startedAt === null) return;
    const started = { callLogId: id, callStartTime: startedAt.toISOString() };
    for (const side of SIDES) ctx.realtime.emitToUser(getCallUserId(sides, side), live.callStarted, started);
  },
  clock: emitClock,
  warned: () => undefined,
  over: emitEnded,
};

async function emitChanges(ctx: Context, changed: CallChangedPayload): Promise<void> {
  const call = await findCall(ctx.db, changed.callLogId);
  if (!call) return;
  const isClockEmitted = changed.changes.includes('clock');
  for (const change of changed.changes) {
    // The clock event already contains the warning.
    if (change === 'warned' && !isClockEmitted) await emitClock(ctx, call, changed);
    else await EMITTERS[change](ctx, call, changed);
  }
}

/** Adds the call to the conversation of both sides (row F4). */
async function writeCallToChat(ctx: Context, callId: string): Promise<void> {
  const call = await findCall(ctx.db, callId);
  if (!call?.endedAt || call.isScreened) return;
  const { id, fanId, creatorId, kind, status, connectedMs, chargedCents, netCents, endedAt } = call;
  // Both sides read the message, and only the fan may learn of their limits.
  const reason = call.reason === 'limit' ? 'funds' : call.reason;
  await writeCallMessage(ctx, {
    ...{ callLogId: id, fanId, creatorId, isFromCreator: false, kind, status, reason },
    durationSeconds: Math.floor(connectedMs / 1000),
    ...{ amountCents: chargedCents, netCents },
    at: endedAt,
  });
}

const LIST_OPEN_OF_USERS: SqlStatement = {
  name: 'calls-open-of-some',
  text: 'select id from calls where ended_at is null and (fan_id = any ($1::uuid[]) or creator_id = any ($1::uuid[]))',
};
const LIST_OPEN_BETWEEN: SqlStatement = {
  name: 'calls-open-between',
  text: 'select id from calls where ended_at is null and fan_id = $1 and creator_id = $2',
};
const LIST_OPEN_OF_HOLD: SqlStatement = {
  name: 'calls-open-of-hold',
  text: 'select id from calls where ended_at is null and hold_id = $1',
};
const LIST_OPEN: SqlStatement = {
  name: 'calls-every-open',
  text: 'select fan_id as "fanId", creator_id as "creatorId" from calls where ended_at is null',
};

async function stopCalls(ctx: Context, calls: readonly { id: string }[]): Promise<void> {
  for (const { id } of calls) await runCallStep(ctx, id, (step) => void applyEvent(step, 'stopped'));
}

/** Ends the call like a hang-up of the user who blocked, so that the other side does not learn of the block. */
async function endCallsOfBlockedPair(ctx: Context, fanId: string, creatorId: string): Promise<void> {
  const { byCreator } = await getBlocksBetween(ctx.db, fanId, creatorId);
  const by = byCreator ? 'creator' : 'fan';
  for (const { id } of await ctx.db.run<{ id: string }>(LIST_OPEN_BETWEEN, [fanId, creatorId]))
    await runCallStep(ctx, id, (step) => {
      if (!byCreator || !applyEvent(step, 'reject', { by })) applyEvent(step, 'endCall', { by });
    });
}

/** A declined request ends the ringing of a call as well. To the fan the creator looks busy. */
async function rejectCallsOfDeclinedFan(ctx: Context, fanId: string, creatorId: string): Promise<void> {
  const { isDeclined } = await getBlocksBetween(ctx.db, fanId, creatorId);
  if (!isDeclined) return;
  for (const { id } of await ctx.db.run<{ id: string }>(LIST_OPEN_BETWEEN, [fanId, creatorId]))
    await runCallStep(ctx, id, (step) => void applyEvent(step, 'reject', { by: 'creator' }));
}

/** When spending is blocked (a deposit was reversed), the call ends and is charged for its talk time. */
async function updateFunds(ctx: Context, ...fanIds: readonly string[]): Promise<void> {
  for (const { id } of await ctx.db.run<{ id: string }>(LIST_OPEN_OF_USERS, [fanIds]))
    await runCallStep(ctx, id, async (step, tx) => {
      const { isBlocked } = await lockSpendable(tx, step.call.fanId, step.at);
      if (isBlocked) return void (applyEvent(step, 'outOfFunds') || applyEvent(step, 'stopped'));
      if (step.call.status === 'received') step.changes.add('clock');
    });
}

async function loadBusyUsers(ctx: Context): Promise<void> {
  const open = await ctx.db.run<{ fanId: string; creatorId: string }>(LIST_OPEN, []);
  setAllBusy(
    ctx,
    open.flatMap(({ fanId, creatorId }) => [fanId, creatorId]),
  );
}

function registerOtherHandlers(ctx: Context): void {
  const quickOptions = { queue: 'quick' } as const;
  const fanOptions = { ...quickOptions, subject: ({ fanId }: { fanId: string }) => `calls:${fanId}` };
  ctx.events.addJobHandler(
    'account.blocked',
    'calls.stop',
    { ...quickOptions, subject: ({ userId }) => `calls:${userId}` },
    async ({ payload }) => stopCalls(ctx, await ctx.db.run<{ id: string }>(LIST_OPEN_OF_USERS, [[payload.userId]])),
  );
  ctx.events.addJobHandler('chat.blocked', 'calls.stop', fanOptions, ({ payload: { fanId, creatorId } }) =>
    endCallsOfBlockedPair(ctx, fanId, creatorId),
  );
  ctx.events.addJobHandler('chat.declined', 'calls.reject', fanOptions, ({ payload: { fanId, creatorId } }) =>
    rejectCallsOfDeclinedFan(ctx, fanId, creatorId),
  );
  ctx.events.addJobHandler(
    'hold.expired',
    'calls.stop',
    { ...fanOptions, filter: ({ purpose }) => purpose === 'call' },
    async ({ payload }) => stopCalls(ctx, await ctx.db.run<{ id: string }>(LIST_OPEN_OF_HOLD, [payload.holdId])),
  );
  ctx.events.addJobHandler(
    'subscriptionTier.deleted',
    'calls.replaceCallerTier',
    { ...quickOptions, subject: ({ tierId }) => `tier:${tierId}` },
    ({ payload }) => replaceCallerTier(ctx, payload),
  );
  ctx.events.addJobHandler('deposit.changed', 'calls.updateFunds', fanOptions, ({ payload }) =>
    updateFunds(ctx, payload.fanId),
  );
  ctx.events.addJobHandler('debt.changed', 'calls.updateFunds', fanOptions, ({ payload }) =>
    updateFunds(ctx, payload.fanId),
  );
  ctx.events.addJobHandler('sale.refunded', 'calls.updateFunds', fanOptions, ({ payload }) =>
    updateFunds(ctx, payload.fanId),
  );
  // Other purchases are noticed within a minute. A tip during the call, wherever it is given, shows immediately.
  const tipOptions = { ...quickOptions, filter: ({ kind }: EventPayload<'sale.made'>) => kind === 'tip' };
  ctx.events.addBatchJobHandler('sale.made', 'calls.updateFunds', tipOptions, (sales) =>
    updateFunds(ctx, ...new Set(sales.map(({ payload }) => payload.fanId))),
  );
}

export function registerCallEventHandlers(ctx: Context, callCache: CallCache, wake: () => void): void {
  const toCallSubject = ({ callLogId }: { callLogId: string }) => `call:${callLogId}`;
  ctx.events.addBroadcastHandler('call.changed', 'calls.emitChanges', toCallSubject, ({ payload }) =>
    emitChanges(ctx, payload),
  );
  const isOver = ({ isOpen }: CallChangedPayload) => !isOpen;
  const endedOptions = { queue: 'quick', subject: toCallSubject, filter: isOver } as const;
  ctx.events.addJobHandler('call.changed', 'calls.writeToChat', endedOptions, ({ payload }) =>
    writeCallToChat(ctx, payload.callLogId),
  );
  ctx.events.addJobHandler('call.changed', 'calls.endSession', endedOptions, ({ payload }) =>
    getCallProvider(ctx).end(payload.callLogId),
  );
  ctx.events.addLocalHandler(
    'call.changed',
    'calls.updateCaches',
    ({ payload: { callLogId, fanId, creatorId, isOpen, wasOffered, movedUserId } }) => {
      callCache.drop(callLogId);
      if (!isOpen) deleteHeartbeats(ctx, callLogId);
      if (movedUserId !== null) deleteHeartbeats(ctx, callLogId, movedUserId === fanId ? 'fan' : 'creator');
      // A user who missed a call may be in another one.
      if (wasOffered) for (const id of [fanId, creatorId]) setBusy(ctx, id, isOpen);
      if (isOpen) wake();
    },
    async () => {
      callCache.clear();
      clearHeartbeats(ctx);
      await loadBusyUsers(ctx);
      wake();
    },
  );
  const toTermsSubject = ({ creatorId }: { creatorId: string }) => `call-terms:${creatorId}`;
  ctx.events.addBroadcastHandler('call.settingsChanged', 'calls.emitTerms', toTermsSubject, async ({ payload }) => {
    const { videoRate, audioRate } = presentSettings(await getStoredSettings(ctx.db, payload.creatorId));
    const terms = { creatorId: z.parse(userId, payload.creatorId), videoRate, audioRate };
    emitToWatchers(ctx, payload.creatorId, live.callTermsChanged, terms);
  });
  ctx.events.addBroadcastHandler(
    'call.callbackRequested',
    'calls.emitCallbackRequest',
    toCallSubject,
    async ({ payload: { callLogId, fanId, creatorId } }) => {
      const { name } = presentUser(await findUserSummaries(ctx.db, [creatorId]), creatorId);
      ctx.realtime.emitToUser(fanId, live.callbackRequested, { callLogId, creatorId, name }, creatorId);
    },
  );
  registerOtherHandlers(ctx);
}

export { loadBusyUsers };
