import { toUsd } from '@stagedoor/contract/atoms/money.ts';
import * as live from '@stagedoor/contract/calls-live.ts';
import type { Context } from '../../kernel/context.ts';
import type { Statement } from '../../kernel/db.ts';
import type { EventPayload } from '../../kernel/events.ts';
import { findPeople } from '../accounts/index.ts';
import { blocksBetween, writeCall } from '../chat/index.ts';
import { setAllBusy, setBusy } from '../presence/index.ts';
import { lockSpendable } from '../sales/index.ts';
import { findCall } from './call/access.ts';
import { happen } from './call/course.ts';
import { type Call, reasonFor, SIDES, userOf } from './call/sides.ts';
import { take } from './call/turn.ts';
import { presentInstant, presentOther, ringLeftMs, sessionOf, viewClock } from './call/view.ts';
import { forget, forgetAll } from './clock/hearing.ts';
import type { CallNews } from './events.ts';
import { providerOf } from './signalling/open-provider.ts';
import type { Known } from './signalling/relay.ts';
import { isOutOfReach } from './terms/reach.ts';
import './events.ts';

type Changed = EventPayload<'call.changed'>;
type Tell = (ctx: Context, call: Call, changed: Changed) => Promise<void> | void;

async function tellOffer(ctx: Context, call: Call): Promise<void> {
  const { id, fanId, creatorId, kind, status, fanDevice } = call;
  ctx.realtime.toUser(fanId, live.callOfferFan, {
    ...{ callLogId: id, creatorId, type: kind, status, device: fanDevice },
  });
  if (await isOutOfReach(ctx, creatorId)) return void (await take(ctx, id, (turn) => void happen(turn, 'unreachable')));
  const { username, name, avatarUrl } = presentOther(await findPeople(ctx.db, [fanId]), fanId);
  ctx.realtime.toUser(creatorId, live.callOffer, {
    ...{ callLogId: id, customerId: fanId, contentType: kind, username, name, picture: avatarUrl },
    status: 'ringing',
    session: sessionOf(ctx, call, 'creator'),
    ringLeftMs: ringLeftMs(call, await presentInstant(ctx)) ?? 0,
  });
}

function tellAnswered(ctx: Context, { id, fanId, creatorId, fanDevice, creatorDevice }: Call): void {
  if (creatorDevice === null) return;
  const [ofFan, ofCreator] = [fanDevice, creatorDevice];
  ctx.realtime.toUser(fanId, live.beginCall, { callLogId: id, device: ofFan, otherDevice: ofCreator });
  ctx.realtime.toUser(creatorId, live.beginCall, { callLogId: id, device: ofCreator, otherDevice: ofFan });
}

function tellMoved(ctx: Context, { id, fanId, creatorId, fanDevice, creatorDevice }: Call, { movedId }: Changed): void {
  const device = movedId === fanId ? fanDevice : creatorDevice;
  if (movedId === null || device === null) return;
  for (const to of [fanId, creatorId])
    ctx.realtime.toUser(to, live.callTakenOver, { callLogId: id, userId: movedId, device });
}

async function tellClock(ctx: Context, call: Call, { warnSeconds }: Changed): Promise<void> {
  const at = await presentInstant(ctx);
  for (const side of SIDES)
    ctx.realtime.toUser(userOf(call, side), live.callClockChanged, {
      callLogId: call.id,
      clock: await viewClock(ctx, call, side, at),
      warnSeconds: side === 'fan' ? warnSeconds : null,
    });
}

function tellOver(ctx: Context, call: Call): void {
  const { id, status, talkedMs, chargedCents, netCents, isScreened } = call;
  const amounts = { fan: chargedCents, creator: netCents };
  for (const side of SIDES) {
    if (side === 'creator' && isScreened) continue;
    ctx.realtime.toUser(userOf(call, side), live.callEnded, {
      ...{ callLogId: id, status, durationSeconds: Math.floor(talkedMs / 1000) },
      reason: reasonFor(call, side),
      amount: toUsd(amounts[side]),
    });
  }
}

const TELLS: Readonly<Record<CallNews, Tell>> = {
  offered: tellOffer,
  rang: (ctx, { id, fanId }) => ctx.realtime.toUser(fanId, live.callRinging, { callLogId: id }),
  answered: tellAnswered,
  tookOver: tellMoved,
  started: (ctx, { id, startedAt, ...sides }) => {
    if (startedAt === null) return;
    const started = { callLogId: id, callStartTime: startedAt.toISOString() };
    for (const side of SIDES) ctx.realtime.toUser(userOf(sides, side), live.callStarted, started);
  },
  clock: tellClock,
  warned: () => undefined,
  over: tellOver,
};

async function tell(ctx: Context, changed: Changed): Promise<void> {
  const call = await findCall(ctx.db, changed.callLogId);
  if (!call) return;
  const isClockTold = changed.news.includes('clock');
  for (const news of changed.news) {
    // The clock event already contains the warning.
    if (news === 'warned' && !isClockTold) await tellClock(ctx, call, changed);
    else await TELLS[news](ctx, call, changed);
  }
}

/** Adds the call to the conversation of both sides (row F4). */
async function writeLine(ctx: Context, callId: string): Promise<void> {
  const call = await findCall(ctx.db, callId);
  if (!call?.endedAt || call.isScreened) return;
  const { id, fanId, creatorId, kind, status, talkedMs, chargedCents, endedAt } = call;
  await writeCall(ctx, {
    ...{ callLogId: id, fanId, creatorId, isFromCreator: false, kind, status },
    durationSeconds: Math.floor(talkedMs / 1000),
    amountCents: chargedCents,
    at: endedAt,
  });
}

const OPEN_OF: Statement = {
  name: 'calls-open-of-some',
  text: 'select id from calls where ended_at is null and (fan_id = any ($1::uuid[]) or creator_id = any ($1::uuid[]))',
};
const OPEN_BETWEEN: Statement = {
  name: 'calls-open-between',
  text: 'select id from calls where ended_at is null and fan_id = $1 and creator_id = $2',
};
const OPEN_OF_HOLD: Statement = {
  name: 'calls-open-of-hold',
  text: 'select id from calls where ended_at is null and hold_id = $1',
};
const EVERY_OPEN: Statement = {
  name: 'calls-every-open',
  text: 'select fan_id as "fanId", creator_id as "creatorId" from calls where ended_at is null',
};

async function stopAll(ctx: Context, calls: readonly { id: string }[]): Promise<void> {
  for (const { id } of calls) await take(ctx, id, (turn) => void happen(turn, 'stopped'));
}

/** Ends the call like a hang-up of the user who blocked, so that the other side does not learn of the block. */
async function hangUpBlocked(ctx: Context, fanId: string, creatorId: string): Promise<void> {
  const { byCreator } = await blocksBetween(ctx.db, fanId, creatorId);
  const by = byCreator ? 'creator' : 'fan';
  for (const { id } of await ctx.db.run<{ id: string }>(OPEN_BETWEEN, [fanId, creatorId]))
    await take(ctx, id, (turn) => {
      if (!byCreator || !happen(turn, 'reject', { by })) happen(turn, 'endCall', { by });
    });
}

/** When spending is blocked (a deposit was reversed), the call ends and is charged for its talk time. */
async function fundsChanged(ctx: Context, fanId: string): Promise<void> {
  for (const { id } of await ctx.db.run<{ id: string }>(OPEN_OF, [[fanId]]))
    await take(ctx, id, async (turn, tx) => {
      const { isBlocked } = await lockSpendable(tx, fanId, turn.at);
      if (isBlocked) return void (happen(turn, 'fundsOver') || happen(turn, 'stopped'));
      if (turn.call.status === 'received') turn.news.add('clock');
    });
}

async function learnBusy(ctx: Context): Promise<void> {
  const open = await ctx.db.run<{ fanId: string; creatorId: string }>(EVERY_OPEN, []);
  setAllBusy(
    ctx,
    open.flatMap(({ fanId, creatorId }) => [fanId, creatorId]),
  );
}

function reactElsewhere(ctx: Context): void {
  const quick = { lane: 'quick' } as const;
  const ofFan = { ...quick, subject: ({ fanId }: { fanId: string }) => `calls:${fanId}` };
  ctx.events.do(
    'account.blocked',
    'calls.stop',
    { ...quick, subject: ({ userId }) => `calls:${userId}` },
    async ({ payload }) => stopAll(ctx, await ctx.db.run<{ id: string }>(OPEN_OF, [[payload.userId]])),
  );
  ctx.events.do('chat.blocked', 'calls.stop', ofFan, ({ payload: { fanId, creatorId } }) =>
    hangUpBlocked(ctx, fanId, creatorId),
  );
  ctx.events.do(
    'hold.expired',
    'calls.stop',
    { ...ofFan, when: ({ purpose }) => purpose === 'call' },
    async ({ payload }) => stopAll(ctx, await ctx.db.run<{ id: string }>(OPEN_OF_HOLD, [payload.holdId])),
  );
  ctx.events.do('deposit.changed', 'calls.funds', ofFan, ({ payload }) => fundsChanged(ctx, payload.fanId));
  ctx.events.do('debt.changed', 'calls.funds', ofFan, ({ payload }) => fundsChanged(ctx, payload.fanId));
  ctx.events.do('sale.refunded', 'calls.funds', ofFan, ({ payload }) => fundsChanged(ctx, payload.fanId));
  // Other purchases are noticed within a minute. A tip during the call applies immediately.
  const isInCall = ({ tipType }: EventPayload<'sale.made'>) => tipType === 'call';
  ctx.events.do('sale.made', 'calls.funds', { ...ofFan, when: isInCall }, ({ payload }) =>
    fundsChanged(ctx, payload.fanId),
  );
}

export function registerReactions(ctx: Context, known: Known, wake: () => void): void {
  const ofCall = ({ callLogId }: { callLogId: string }) => `call:${callLogId}`;
  ctx.events.tell('call.changed', 'calls.live', ofCall, ({ payload }) => tell(ctx, payload));
  const isOver = ({ isOpen }: Changed) => !isOpen;
  const afterwards = { lane: 'quick', subject: ofCall, when: isOver } as const;
  ctx.events.do('call.changed', 'calls.line', afterwards, ({ payload }) => writeLine(ctx, payload.callLogId));
  ctx.events.do('call.changed', 'calls.cut', afterwards, ({ payload }) => providerOf(ctx).end(payload.callLogId));
  ctx.events.everywhere(
    'call.changed',
    'calls.known',
    ({ payload: { callLogId, fanId, creatorId, isOpen, wasOffered, movedId } }) => {
      known.drop(callLogId);
      if (!isOpen) forget(ctx, callLogId);
      if (movedId !== null) forget(ctx, callLogId, movedId === fanId ? 'fan' : 'creator');
      // A user who missed a call may be in another one.
      if (wasOffered) for (const id of [fanId, creatorId]) setBusy(ctx, id, isOpen);
      if (isOpen) wake();
    },
    async () => {
      known.clear();
      forgetAll(ctx);
      await learnBusy(ctx);
      wake();
    },
  );
  ctx.events.tell('call.backAsked', 'calls.back', ofCall, async ({ payload: { callLogId, fanId, creatorId } }) => {
    const { name } = presentOther(await findPeople(ctx.db, [creatorId]), creatorId);
    ctx.realtime.toUser(fanId, live.callBackAsked, { callLogId, creatorId, name }, creatorId);
  });
  reactElsewhere(ctx);
}

export { learnBusy };
