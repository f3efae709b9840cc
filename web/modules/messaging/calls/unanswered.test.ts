import { type CallLog, callLog } from '@stagedoor/contract/messaging/calls.ts';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { listUnansweredCalls } from './unanswered.ts';

const NOW = '2026-11-20T12:00:00.000Z';
const id = (last: number) => `018f0000-0000-7000-8000-0000000000${String(last).padStart(2, '0')}`;

function createMissedCall(number: number, creator: number, hours: number, part: Partial<CallLog> = {}): CallLog {
  const at = new Date(Date.parse(NOW) - hours * 3_600_000).toISOString();
  const other = { id: id(creator), username: 'leni', name: 'Leni', avatarUrl: null };
  const state = { kind: 'video', status: 'cancel', reason: 'noAnswer', isOutgoing: true, answeredAt: null };
  const money = {
    durationSeconds: 0,
    amountPerMinute: 2,
    amount: 0,
    refunded: 0,
    isMissed: false,
    isCallbackRequested: false,
  };
  return z.parse(callLog, { callLogId: id(number), ...state, ...money, other, createdAt: at, endedAt: at, ...part });
}
const listIds = (calls: readonly CallLog[]) => listUnansweredCalls(calls, NOW).map(({ callLogId }) => callLogId);

test('lists the last unanswered call of each creator, callback requests first', () => {
  const withCallback = createMissedCall(2, 21, 2, { reason: 'cancelled', isCallbackRequested: true });
  expect(listIds([createMissedCall(1, 20, 1), withCallback, createMissedCall(3, 20, 3)])).toEqual([id(2), id(1)]);
});

test('leaves out calls that were followed by a conversation, cancelled, still ringing or too old', () => {
  const answered = createMissedCall(1, 20, 1, { answeredAt: NOW, durationSeconds: 60, reason: 'hungUp' });
  const rings = createMissedCall(6, 24, 0, { endedAt: null, reason: null });
  const others = [createMissedCall(3, 21, 2, { reason: 'cancelled' }), createMissedCall(4, 22, 24 * 8), rings];
  expect(listIds([answered, createMissedCall(2, 20, 2), ...others])).toEqual([]);
});

test('lists three calls at most', () => {
  expect(listIds([1, 2, 3, 4].map((number) => createMissedCall(number, 20 + number, number)))).toHaveLength(3);
});
