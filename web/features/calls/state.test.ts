import type { OpenCall } from '@stagedoor/contract/calls.ts';
import { openCall } from '@stagedoor/contract/calls.ts';
import { callOffer } from '@stagedoor/contract/calls-live.ts';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type CallsState, type Happening, isRunning, NOTHING, reduce } from './state.ts';

const ID = '018f0000-0000-7000-8000-000000000001';
const OTHER = '018f0000-0000-7000-8000-000000000002';
const PERSON = '018f0000-0000-7000-8000-000000000003';
const HERE = 'this-tab-1';
const THERE = 'that-tab-2';
const session = { token: 't', sessionId: 's', callLogId: ID, amountPerMinute: 2 };
const standing = { isRunning: false, talkedMs: 0, amount: 0, leftMs: 600_000, gapLeftMs: null, share: 1 };

function aCall(part: Record<string, unknown> = {}): OpenCall {
  const other = { id: PERSON, username: 'leni', name: 'Leni', avatarUrl: null };
  const call = { session, kind: 'video', status: 'calling', isOutgoing: true, other, device: HERE, ringLeftMs: 45_000 };
  return z.parse(openCall, { ...call, clock: standing, ...part });
}
const received = (part: Record<string, unknown> = {}) => aCall({ status: 'received', ringLeftMs: null, ...part });
const offer = z.parse(callOffer.payload, {
  callLogId: ID,
  customerId: PERSON,
  contentType: 'video',
  username: 'leni',
  name: 'Leni',
  picture: null,
  status: 'ringing',
  session,
  ringLeftMs: 45_000,
});

function after(...happenings: Happening[]): CallsState {
  return happenings.reduce(reduce, NOTHING);
}
const told = (call: OpenCall | null, askedAt = 900): Happening => ({
  type: 'told',
  call,
  device: HERE,
  askedAt,
  at: 1_000,
});

test("a fan's call goes from calling to ringing, talking and the receipt", () => {
  expect(after(told(aCall())).stage).toMatchObject({ at: 'calling', isRinging: false, endsAt: 46_000 });
  expect(after(told(aCall()), { type: 'rang', callLogId: ID }).stage).toMatchObject({ isRinging: true });
  expect(after({ type: 'rang', callLogId: ID }, told(aCall())).stage).toMatchObject({ isRinging: true });
  const talking = after(told(aCall()), told(received()));
  expect(talking.stage).toMatchObject({ at: 'talking', hasStarted: false });
  const over = reduce(talking, { type: 'ended', ended: { callLogId: ID, reason: 'hungUp' } });
  expect(over.stage).toMatchObject({ at: 'over', end: { wasAnswered: true, reason: 'hungUp' } });
});

test('a call on another device of the user is offered here but not joined', () => {
  expect(after(told(received({ device: THERE }))).stage.at).toBe('elsewhere');
  expect(after(told(aCall({ device: THERE }))).stage.at).toBe('elsewhere');
});

test('an answer in one tab stops the ringing in the others, which may take the call over', () => {
  const ringing = after({ type: 'offer', offer, at: 0 });
  expect(ringing.stage.at).toBe('incoming');
  expect(reduce(ringing, told(received({ isOutgoing: false, device: THERE }))).stage.at).toBe('elsewhere');
});

test('a declined call does not ring again when its events arrive late', () => {
  const declined = after({ type: 'offer', offer, at: 0 }, { type: 'dropped', callLogId: ID });
  expect(declined.stage.at).toBe('none');
  expect(reduce(declined, { type: 'offer', offer, at: 1 }).stage.at).toBe('none');
  expect(reduce(declined, told(aCall({ isOutgoing: false, device: null }))).stage.at).toBe('none');
});

test('an offer that arrives after the end of its call does not ring', () => {
  const ended = after({ type: 'ended', ended: { callLogId: ID, reason: 'cancelled' } });
  expect(reduce(ended, { type: 'offer', offer, at: 1 }).stage.at).toBe('none');
});

test('a second offer does not interrupt a running call', () => {
  const talking = after(told(received()));
  const second = { ...offer, callLogId: z.parse(callOffer.payload.shape.callLogId, OTHER) };
  expect(reduce(talking, { type: 'offer', offer: second, at: 1 })).toBe(talking);
  expect(
    reduce(talking, {
      type: 'check',
      target: { creatorId: OTHER, username: 'x', name: 'X', avatarUrl: null },
      kind: 'audio',
    }),
  ).toBe(talking);
});

test('clock events of another call are ignored', () => {
  const talking = after(told(received()));
  const clock = { ...standing, isRunning: true };
  expect(reduce(talking, { type: 'clock', callLogId: OTHER, clock, warnSeconds: null, at: 5 })).toBe(talking);
});

test('a response does not overwrite a clock event that arrived after its request', () => {
  const runs: Happening = {
    type: 'clock',
    callLogId: ID,
    clock: { ...standing, isRunning: true },
    warnSeconds: null,
    at: 950,
  };
  const talking = after(told(received(), 800), runs);
  expect(reduce(talking, told(received(), 900)).stage).toMatchObject({ clock: { isRunning: true } });
  expect(reduce(talking, told(received(), 960)).stage).toMatchObject({ clock: { isRunning: false } });
});

test('the clock stops while the connection is lost, even if the server reports it as running', () => {
  const running = after(told(received({ clock: { ...standing, isRunning: true } })));
  const lost = reduce(running, { type: 'lost', callLogId: ID, at: 2_000 });
  const again = reduce(lost, told(received({ clock: { ...standing, isRunning: true } }), 3_000));
  const back = reduce(again, { type: 'lost', callLogId: ID, at: null });
  expect([running, lost, again, back].map(({ stage }) => stage.at === 'talking' && isRunning(stage))).toEqual([
    ...[true, false, false, true],
  ]);
  expect(reduce(running, { type: 'lost', callLogId: OTHER, at: 2_000 })).toBe(running);
});

test('a low-balance warning stays until it is dismissed or money is added', () => {
  const low = { ...standing, isRunning: true, leftMs: 118_000 };
  const warned = after(told(received()), { type: 'clock', callLogId: ID, clock: low, warnSeconds: 120, at: 5 });
  expect(warned.stage).toMatchObject({ warnSeconds: 120 });
  const later = reduce(warned, {
    type: 'clock',
    callLogId: ID,
    clock: { ...low, leftMs: 90_000 },
    warnSeconds: null,
    at: 6,
  });
  expect(later.stage).toMatchObject({ warnSeconds: 120 });
  const more = reduce(later, {
    type: 'clock',
    callLogId: ID,
    clock: { ...low, leftMs: 900_000 },
    warnSeconds: null,
    at: 7,
  });
  expect(more.stage).toMatchObject({ warnSeconds: null });
  expect(reduce(later, { type: 'warningSeen' }).stage).toMatchObject({ warnSeconds: null });
});

test('a device leaves the call when another one takes it over, and the new device stays in it', () => {
  const talking = after(told(received()));
  const taken = (device: string): Happening => ({ type: 'takenOver', callLogId: ID, device, ownDevice: HERE });
  expect(reduce(talking, taken(THERE)).stage.at).toBe('elsewhere');
  expect(reduce(talking, taken(HERE))).toBe(talking);
});

test('a call whose end event was missed is over when the server reports no call', () => {
  expect(after(told(received()), told(null)).stage).toMatchObject({
    at: 'over',
    end: { wasAnswered: true, reason: null },
  });
  expect(after({ type: 'offer', offer, at: 0 }, told(null)).stage.at).toBe('none');
});

test('closing does not end a running call', () => {
  const talking = after(told(received()));
  expect(reduce(talking, { type: 'close' })).toBe(talking);
});
