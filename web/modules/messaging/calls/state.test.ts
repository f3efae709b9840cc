import type { OpenCall } from '@stagedoor/contract/messaging/calls.ts';
import { openCall } from '@stagedoor/contract/messaging/calls.ts';
import { callOffer } from '@stagedoor/contract/messaging/calls-events.ts';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type CallStateAction, type CallsState, isRunning, NO_CALL, reduceCalls } from './state.ts';

const ID = '018f0000-0000-7000-8000-000000000001';
const OTHER = '018f0000-0000-7000-8000-000000000002';
const USER_ID = '018f0000-0000-7000-8000-000000000003';
const HERE = 'this-tab-1';
const THERE = 'that-tab-2';
const session = { token: 't', sessionId: 's', callLogId: ID, amountPerMinute: 2 };
const pausedClock = {
  isRunning: false,
  connectedMs: 0,
  amount: 0,
  tips: 0,
  spendable: null,
  bound: null,
  leftMs: 600_000,
  reconnectLeftMs: null,
  share: 1,
};

function createCall(part: Record<string, unknown> = {}): OpenCall {
  const other = { id: USER_ID, username: 'leni', name: 'Leni', avatarUrl: null };
  const call = { session, kind: 'video', status: 'calling', isOutgoing: true, other, device: HERE, ringLeftMs: 45_000 };
  return z.parse(openCall, { ...call, clock: pausedClock, ...part });
}
const received = (part: Record<string, unknown> = {}) => createCall({ status: 'received', ringLeftMs: null, ...part });
const offer = z.parse(callOffer.payload, {
  callLogId: ID,
  customerId: USER_ID,
  contentType: 'video',
  username: 'leni',
  name: 'Leni',
  picture: null,
  status: 'ringing',
  session,
  ringLeftMs: 45_000,
});

function reduceAll(...actions: CallStateAction[]): CallsState {
  return actions.reduce(reduceCalls, NO_CALL);
}
const createServerCall = (call: OpenCall | null, requestedAt = 900): CallStateAction => ({
  type: 'serverCall',
  call,
  device: HERE,
  requestedAt,
  at: 1_000,
});

test("a fan's call goes from calling to ringing, talking and the receipt", () => {
  expect(reduceAll(createServerCall(createCall())).stage).toMatchObject({
    at: 'calling',
    isRinging: false,
    endsAt: 46_000,
  });
  expect(reduceAll(createServerCall(createCall()), { type: 'rang', callLogId: ID }).stage).toMatchObject({
    isRinging: true,
  });
  expect(reduceAll({ type: 'rang', callLogId: ID }, createServerCall(createCall())).stage).toMatchObject({
    isRinging: true,
  });
  const talking = reduceAll(createServerCall(createCall()), createServerCall(received()));
  expect(talking.stage).toMatchObject({ at: 'talking', hasStarted: false });
  const over = reduceCalls(talking, { type: 'ended', ended: { callLogId: ID, reason: 'hungUp' } });
  expect(over.stage).toMatchObject({ at: 'over', end: { wasAnswered: true, reason: 'hungUp' } });
});

test('a call on another device of the user is offered here but not joined', () => {
  expect(reduceAll(createServerCall(received({ device: THERE }))).stage.at).toBe('elsewhere');
  expect(reduceAll(createServerCall(createCall({ device: THERE }))).stage.at).toBe('elsewhere');
});

test('an answer in one tab stops the ringing in the others, which may take the call over', () => {
  const ringing = reduceAll({ type: 'offer', offer, at: 0 });
  expect(ringing.stage.at).toBe('incoming');
  expect(reduceCalls(ringing, createServerCall(received({ isOutgoing: false, device: THERE }))).stage.at).toBe(
    'elsewhere',
  );
});

test('a declined call does not ring again when its events arrive late', () => {
  const declined = reduceAll({ type: 'offer', offer, at: 0 }, { type: 'dropped', callLogId: ID });
  expect(declined.stage.at).toBe('none');
  expect(reduceCalls(declined, { type: 'offer', offer, at: 1 }).stage.at).toBe('none');
  expect(reduceCalls(declined, createServerCall(createCall({ isOutgoing: false, device: null }))).stage.at).toBe(
    'none',
  );
});

test('an offer that arrives after the end of its call does not ring', () => {
  const ended = reduceAll({ type: 'ended', ended: { callLogId: ID, reason: 'cancelled' } });
  expect(reduceCalls(ended, { type: 'offer', offer, at: 1 }).stage.at).toBe('none');
});

test('a second offer does not interrupt a running call', () => {
  const talking = reduceAll(createServerCall(received()));
  const second = { ...offer, callLogId: z.parse(callOffer.payload.shape.callLogId, OTHER) };
  expect(reduceCalls(talking, { type: 'offer', offer: second, at: 1 })).toBe(talking);
  expect(
    reduceCalls(talking, {
      type: 'check',
      target: { creatorId: OTHER, username: 'x', name: 'X', avatarUrl: null },
      kind: 'audio',
    }),
  ).toBe(talking);
});

test('clock events of another call are ignored', () => {
  const talking = reduceAll(createServerCall(received()));
  const clock = { ...pausedClock, isRunning: true };
  expect(reduceCalls(talking, { type: 'clock', callLogId: OTHER, clock, warnSeconds: null, at: 5 })).toBe(talking);
});

test('a response does not overwrite a clock event that arrived after its request', () => {
  const runs: CallStateAction = {
    type: 'clock',
    callLogId: ID,
    clock: { ...pausedClock, isRunning: true },
    warnSeconds: null,
    at: 950,
  };
  const talking = reduceAll(createServerCall(received(), 800), runs);
  expect(reduceCalls(talking, createServerCall(received(), 900)).stage).toMatchObject({ clock: { isRunning: true } });
  expect(reduceCalls(talking, createServerCall(received(), 960)).stage).toMatchObject({ clock: { isRunning: false } });
});

test('the clock stops while the connection is lost, even if the server reports it as running', () => {
  const running = reduceAll(createServerCall(received({ clock: { ...pausedClock, isRunning: true } })));
  const lost = reduceCalls(running, { type: 'lost', callLogId: ID, at: 2_000 });
  const reconnected = reduceCalls(
    lost,
    createServerCall(received({ clock: { ...pausedClock, isRunning: true } }), 3_000),
  );
  const back = reduceCalls(reconnected, { type: 'lost', callLogId: ID, at: null });
  expect([running, lost, reconnected, back].map(({ stage }) => stage.at === 'talking' && isRunning(stage))).toEqual([
    ...[true, false, false, true],
  ]);
  expect(reduceCalls(running, { type: 'lost', callLogId: OTHER, at: 2_000 })).toBe(running);
});

test('a low-balance warning stays until it is dismissed or money is added', () => {
  const low = { ...pausedClock, isRunning: true, leftMs: 118_000 };
  const warned = reduceAll(createServerCall(received()), {
    type: 'clock',
    callLogId: ID,
    clock: low,
    warnSeconds: 120,
    at: 5,
  });
  expect(warned.stage).toMatchObject({ warnSeconds: 120 });
  const later = reduceCalls(warned, {
    type: 'clock',
    callLogId: ID,
    clock: { ...low, leftMs: 90_000 },
    warnSeconds: null,
    at: 6,
  });
  expect(later.stage).toMatchObject({ warnSeconds: 120 });
  const more = reduceCalls(later, {
    type: 'clock',
    callLogId: ID,
    clock: { ...low, leftMs: 900_000 },
    warnSeconds: null,
    at: 7,
  });
  expect(more.stage).toMatchObject({ warnSeconds: null });
  expect(reduceCalls(later, { type: 'warningSeen' }).stage).toMatchObject({ warnSeconds: null });
});

test('a device leaves the call when another one takes it over, and the new device stays in it', () => {
  const talking = reduceAll(createServerCall(received()));
  const createTakeover = (device: string): CallStateAction => ({
    type: 'takenOver',
    callLogId: ID,
    device,
    ownDevice: HERE,
  });
  expect(reduceCalls(talking, createTakeover(THERE)).stage.at).toBe('elsewhere');
  expect(reduceCalls(talking, createTakeover(HERE))).toBe(talking);
});

test('a call whose end event was missed is over when the server reports no call', () => {
  expect(reduceAll(createServerCall(received()), createServerCall(null)).stage).toMatchObject({
    at: 'over',
    end: { wasAnswered: true, reason: null },
  });
  expect(reduceAll({ type: 'offer', offer, at: 0 }, createServerCall(null)).stage.at).toBe('none');
});

test('a call that was minimized while it rang opens when it is answered, and one minimized later stays so', () => {
  const minimize: CallStateAction = { type: 'small', isMinimized: true };
  const ringing = reduceAll(createServerCall(createCall()), minimize);
  expect(reduceCalls(ringing, createServerCall(createCall())).isMinimized).toBe(true);
  const talking = reduceCalls(ringing, createServerCall(received()));
  expect(talking).toMatchObject({ stage: { at: 'talking' }, isMinimized: false });
  expect(reduceCalls(reduceCalls(talking, minimize), createServerCall(received())).isMinimized).toBe(true);
});

test('closing does not end a running call', () => {
  const talking = reduceAll(createServerCall(received()));
  expect(reduceCalls(talking, { type: 'close' })).toBe(talking);
});

test('a call that resumes where it must not cover the page is minimized, but not one that is shown already', () => {
  const times = { device: HERE, requestedAt: 900, at: 1_000 };
  const resume: CallStateAction = { type: 'serverCall', call: received(), ...times, resumesMinimized: true };
  expect(reduceAll(resume)).toMatchObject({ stage: { at: 'talking' }, isMinimized: true });
  expect(reduceAll(createServerCall(received()), resume)).toMatchObject({ isMinimized: false });
  expect(reduceAll(createServerCall(received()))).toMatchObject({ isMinimized: false });
});
