import { type CallLog, callLog } from '@stagedoor/contract/messaging/calls.ts';
import { expect, test } from 'vitest';
import { formatCallLog, formatRefund, formatSpending } from './call-labels.ts';

const UNANSWERED = callLog.parse({
  ...{ callLogId: '018f0000-0000-7000-8000-000000000001', kind: 'audio', status: 'cancel', reason: null },
  other: { id: '018f0000-0000-7000-8000-000000000002', username: 'leni', name: 'Leni', avatarUrl: null },
  ...{ isOutgoing: true, createdAt: '2026-03-04T12:00:00.000Z', answeredAt: null, endedAt: null, durationSeconds: 0 },
  ...{ amountPerMinute: 2, amount: 0, refunded: 0, isMissed: false, isCallbackRequested: false },
});

test('formats what a fan spent on one and on several purchases', () => {
  const texts = [
    { label: 'Video Call', count: 4, amount: 98.6 },
    { label: 'Post', count: 1, amount: 9 },
    { label: 'Chat Media', count: 2, amount: 6 },
  ].map(formatSpending);
  expect(texts).toEqual(['4 calls $98.60', '1 post $9.00', '2 chat media $6.00']);
});

test('formats partial and full refunds of a call', () => {
  expect([0, 1.5, 4.7].map((refunded) => formatRefund({ amount: 4.7, refunded }))).toEqual([
    ...['', '$1.50 refunded', 'refunded'],
  ]);
});

test.each<[CallLog['reason'], string, string]>([
  ['cancelled', 'Voice call, canceled', 'Missed voice call, canceled'],
  ['noAnswer', 'Voice call, no answer', 'Missed voice call'],
  ['declined', 'Voice call, declined', 'Voice call, declined'],
])('a call that ended with %s is listed for the fan as %s and for the creator as %s', (reason, ofFan, ofCreator) => {
  const log = { ...UNANSWERED, reason };
  expect([formatCallLog(log), formatCallLog({ ...log, isOutgoing: false })]).toEqual([ofFan, ofCreator]);
});
