import { openCall } from '@stagedoor/contract/messaging/calls.ts';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { formatAnnouncement } from './announcements.ts';
import { type CallStageState, type CallStateAction, NO_CALL, reduceCalls } from './state.ts';

const ID = '018f0000-0000-7000-8000-000000000001';
const call = z.parse(openCall, {
  session: { token: 't', sessionId: 's', callLogId: ID, amountPerMinute: 2 },
  ...{ kind: 'video', status: 'calling', isOutgoing: true, device: 'here', ringLeftMs: 45_000 },
  other: { id: ID, username: 'leni', name: 'Leni Ashgrove', avatarUrl: null },
  clock: {
    isRunning: false,
    connectedMs: 0,
    amount: 0,
    tips: 0,
    spendable: null,
    bound: null,
    leftMs: null,
    reconnectLeftMs: null,
    share: 1,
  },
});

function listAnnouncements(...actions: CallStateAction[]): (string | undefined)[] {
  let state = NO_CALL;
  return actions.map((action) => {
    const before: CallStageState = state.stage;
    state = reduceCalls(state, action);
    return formatAnnouncement(before, state.stage)?.replace(/[\u2066-\u2069]/gu, '');
  });
}
const createServerCall = (part: object): CallStateAction => ({
  type: 'serverCall',
  call: { ...call, ...part },
  device: 'here',
  requestedAt: 0,
  at: 0,
});
const createEnd = (reason: 'hungUp' | 'funds' | 'noAnswer' | 'cancelled'): CallStateAction => ({
  type: 'ended',
  ended: { callLogId: ID, reason },
});

test('announces to a fan who answered and how the call ended, but not an unanswered call, which has a dialog', () => {
  const received = createServerCall({ status: 'received', ringLeftMs: null });
  expect(listAnnouncements(createServerCall({}), received, createEnd('hungUp'))).toEqual([
    '',
    'Leni answered.',
    'Call ended.',
  ]);
  expect(listAnnouncements(createServerCall({}), received, createEnd('funds')).at(-1)).toBe('The balance ran out.');
  expect(listAnnouncements(createServerCall({}), createEnd('noAnswer'))).toEqual(['', '']);
});

test('announces ringing and the running clock once, and the clock again after an interruption', () => {
  const clock = (isRunning: boolean): CallStateAction => ({
    type: 'clock',
    callLogId: ID,
    clock: { ...call.clock, isRunning },
    warnSeconds: null,
    at: 0,
  });
  const received = createServerCall({ status: 'received', ringLeftMs: null });
  const [connected, rang] = ['Connected. Billing started.', { type: 'rang', callLogId: ID } as const];
  expect(listAnnouncements(createServerCall({}), rang, rang, received)).toEqual([
    '',
    'Ringing.',
    undefined,
    'Leni answered.',
  ]);
  const clockChanges = [clock(true), clock(true), clock(false), clock(true)];
  expect(listAnnouncements(received, ...clockChanges)).toEqual(['', connected, undefined, '', connected]);
});

test('announces to a creator that the ringing stopped and that the call continues on another device', () => {
  const rings = createServerCall({ isOutgoing: false });
  const answered = (device: string) =>
    createServerCall({ isOutgoing: false, status: 'received', ringLeftMs: null, device });
  expect(listAnnouncements(rings, createEnd('cancelled'))).toEqual(['', 'Stopped ringing.']);
  expect(listAnnouncements(rings, answered('there'))).toEqual(['', 'Stopped ringing.']);
  expect(listAnnouncements(rings, answered('here'), answered('there'))).toEqual([
    '',
    '',
    'The call moved to your other device.',
  ]);
});
