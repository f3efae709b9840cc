import { openCall } from '@stagedoor/contract/calls.ts';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { spokenWords } from './spoken.ts';
import { type Happening, NOTHING, reduce, type Stage } from './state.ts';

const ID = '018f0000-0000-7000-8000-000000000001';
const call = z.parse(openCall, {
  session: { token: 't', sessionId: 's', callLogId: ID, amountPerMinute: 2 },
  ...{ kind: 'video', status: 'calling', isOutgoing: true, device: 'here', ringLeftMs: 45_000 },
  other: { id: ID, username: 'leni', name: 'Leni Ashgrove', avatarUrl: null },
  clock: { isRunning: false, talkedMs: 0, amount: 0, leftMs: null, gapLeftMs: null, share: 1 },
});

function told(...happenings: Happening[]): (string | undefined)[] {
  let state = NOTHING;
  return happenings.map((happening) => {
    const before: Stage = state.stage;
    state = reduce(state, happening);
    return spokenWords(before, state.stage)?.replace(/[\u2066-\u2069]/gu, '');
  });
}
const hears = (part: object): Happening => ({
  type: 'told',
  call: { ...call, ...part },
  device: 'here',
  askedAt: 0,
  at: 0,
});
const ends = (reason: 'hungUp' | 'funds' | 'noAnswer' | 'cancelled'): Happening => ({
  type: 'ended',
  ended: { callLogId: ID, reason },
});

test('announces to a fan who answered and how the call ended, but not an unanswered call, which has a dialog', () => {
  const received = hears({ status: 'received', ringLeftMs: null });
  expect(told(hears({}), received, ends('hungUp'))).toEqual(['', 'Leni answered.', 'Call ended.']);
  expect(told(hears({}), received, ends('funds')).at(-1)).toBe('The balance ran out.');
  expect(told(hears({}), ends('noAnswer'))).toEqual(['', '']);
});

test('announces ringing and the running clock once, and the clock again after an interruption', () => {
  const clock = (isRunning: boolean): Happening => ({
    type: 'clock',
    callLogId: ID,
    clock: { ...call.clock, isRunning },
    warnSeconds: null,
    at: 0,
  });
  const received = hears({ status: 'received', ringLeftMs: null });
  const [connected, rang] = ['Connected. Billing started.', { type: 'rang', callLogId: ID } as const];
  expect(told(hears({}), rang, rang, received)).toEqual(['', 'Ringing.', undefined, 'Leni answered.']);
  const goes = [clock(true), clock(true), clock(false), clock(true)];
  expect(told(received, ...goes)).toEqual(['', connected, undefined, '', connected]);
});

test('announces to a creator that the ringing stopped and that the call continues on another device', () => {
  const rings = hears({ isOutgoing: false });
  const answered = (device: string) => hears({ isOutgoing: false, status: 'received', ringLeftMs: null, device });
  expect(told(rings, ends('cancelled'))).toEqual(['', 'Stopped ringing.']);
  expect(told(rings, answered('there'))).toEqual(['', 'Stopped ringing.']);
  expect(told(rings, answered('here'), answered('there'))).toEqual(['', '', 'The call moved to your other device.']);
});
