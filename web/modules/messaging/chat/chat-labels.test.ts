import { BROADCAST_KEY } from '@stagedoor/contract/messaging/messages.ts';
import { expect, test } from 'vitest';
import { formatCallTitle, formatOwnPrice, formatPreview, formatRefusal, formatSpokenMessage } from './chat-labels.ts';
import { toLastMessage } from './merge.ts';
import { createTestId, IDS, makeConversation, makeMessage } from './testing.ts';
import { findMark } from './thread/highlighted-text.tsx';
import { isEmojiOnly } from './thread/message-text.tsx';
import { formatClockTime, formatDayLabel, formatListTime, formatScheduledTime } from './time-format.ts';

test('a new message is announced by its content, and a tip with its amount and message', () => {
  expect(formatSpokenMessage(makeMessage({ text: 'Hello' }))).toBe('Hello');
  expect(formatSpokenMessage(makeMessage({ type: 'image', text: '' }))).toBe('Photo');
  const tip = { amount: 5, note: 'For the encore', transactionId: IDS.other };
  expect(formatSpokenMessage(makeMessage({ type: 'tipInfo', text: '', tip }))).toBe('Tip $5.00: For the encore');
});

test('up to three emoji alone are large, other text is not', () => {
  for (const text of ['🎻', '👩‍👩‍👧 ❤️', '🇵🇹🇵🇹']) expect(isEmojiOnly(text), text).toBe(true);
  for (const text of ['12', '🎻!', '', '🎻🎻🎻🎻', 'a🎻']) expect(isEmojiOnly(text), text).toBe(false);
});

test('the search text is highlighted regardless of case and accents', () => {
  const cut = (text: string, mark: string) => {
    const found = findMark(text, mark);
    return found && text.slice(found.start, found.end);
  };
  expect(cut('Meet at ΟΔΟΣ 5', 'οδος')).toBe('ΟΔΟΣ');
  expect(cut('Ｃａｆｅ\u0301 at noon, ½ off', 'café')).toBe('Ｃａｆｅ\u0301');
  expect(cut('山田花子です', '花子')).toBe('花子');
  expect(cut('İstanbul', 'stan')).toBe('stan');
  expect(cut('abc', 'x')).toBeUndefined();
  expect(cut('abc', '\u0301')).toBeUndefined();
});

test('a future time is shown with its day, time and zone', () => {
  const now = '2026-11-30T10:00:00.000Z';
  const format = (iso: string) => formatScheduledTime(iso, now, 'Europe/Berlin');
  expect(format('2026-11-30T12:00:00.000Z')).toBe('Today, 13:00 CET');
  expect(format('2026-11-30T23:30:00.000Z')).toBe('Tomorrow, 00:30 CET');
  expect(format('2026-12-05T12:00:00.000Z')).toBe('Sat 5 Dec, 13:00 CET');
  expect(format('2027-06-05T12:00:00.000Z')).toBe('Sat 5 Jun 2027, 14:00 CEST');
  expect(formatScheduledTime('2026-12-05T12:00:00.000Z', now)).toBe('Sat 5 Dec, 12:00 UTC');
  expect(formatListTime('2027-06-05T12:00:00.000Z', now)).toBe('5 Jun 2027');
});

test("dates follow the reader's time zone", () => {
  const now = '2026-03-02T10:00:00.000Z';
  expect(formatDayLabel('2026-03-02T00:30:00.000Z', now)).toBe('Today');
  expect(formatDayLabel('2026-03-02T00:30:00.000Z', now, 'America/New_York')).toBe('Yesterday');
  expect(formatDayLabel('2026-02-27T10:00:00.000Z', now)).toBe('27 Feb');
  expect(formatDayLabel('2025-02-27T10:00:00.000Z', now)).toBe('27 Feb 2025');
  expect(formatClockTime('2026-03-02T00:30:00.000Z', 'Asia/Kolkata')).toBe('06:00');
  expect(formatListTime('2026-02-27T10:00:00.000Z', now)).toBe('Fri');
  expect(formatListTime('2026-03-02T09:00:00.000Z', now)).toBe('09:00');
});

test('the preview of a conversation shows the sender, the type and the price', () => {
  const previewMessage = (change: Parameters<typeof makeMessage>[0]) =>
    formatPreview(toLastMessage(makeMessage(change)), 'fan');
  expect(previewMessage({ text: 'hello' })).toBe('hello');
  expect(previewMessage({ text: 'hello', ownerType: 'customer', ownerId: IDS.me })).toBe('You: hello');
  expect(previewMessage({ type: 'image', text: '', pendingMedia: 1, price: 8 })).toBe('Photo · $8.00');
  expect(previewMessage({ type: 'image', text: 'Look', pendingMedia: 3, price: 8, isPurchased: true })).toBe(
    '3 files: Look',
  );
  const tip = { amount: 20, note: 'Encore', transactionId: createTestId(1) };
  expect(previewMessage({ type: 'tipInfo', text: '', tip })).toBe('Tip $20.00: Encore');
  expect(previewMessage({ type: 'tipInfo', text: '', tip: { ...tip, note: '' } })).toBe('Tip $20.00');
});

test('the sender reads whether a message was unlocked, but not of a broadcast, which has many recipients', () => {
  expect(formatOwnPrice(makeMessage({ price: 8 }))).toBe('$8.00, not unlocked yet');
  expect(formatOwnPrice(makeMessage({ price: 8, isPurchased: true }))).toBe('$8.00, unlocked');
  expect(formatOwnPrice({ ...makeMessage({ price: 8 }), conversationId: BROADCAST_KEY })).toBe('$8.00');
});

test.each([
  ['cancelled', 'creator', 'Canceled video call'],
  ['declined', 'creator', 'Declined video call'],
  ['noAnswer', 'creator', 'Missed video call'],
  ['cancelled', 'fan', 'Canceled video call'],
  ['busy', 'fan', 'Video call, busy'],
  ['noAnswer', 'fan', 'Video call, no answer'],
  ['notConnected', 'fan', 'Video call, not connected'],
  [null, 'creator', 'Video call, not connected'],
] as const)('a call that ended with %s reads to the %s as %s', (reason, side, title) => {
  const call = { callLogId: 'c', kind: 'video', status: 'cancel', reason, durationSeconds: 0, amount: 0 } as const;
  expect(formatCallTitle(call, side)).toBe(title);
  expect(formatPreview(toLastMessage(makeMessage({ type: 'videoCallInfo', text: '', call })), side)).toContain(title);
});

test('every reason for not being able to write has a message, also the block by the user', () => {
  const createRefusedConversation = (refusal: 'waiting' | 'followers' | 'blocked' | 'gone', isBlockedByMe = false) =>
    makeConversation({
      info: { isBlocked: refusal === 'blocked', isBlockedByMe, request: 'accept', canSend: false, refusal },
    });
  for (const refusal of ['waiting', 'followers', 'blocked', 'gone'] as const)
    expect(formatRefusal(createRefusedConversation(refusal), 'fan', 'Ana')?.title).toMatch(/\w/);
  expect(formatRefusal(createRefusedConversation('blocked', true), 'creator', 'Ana')?.title).toBe('You blocked Ana.');
  expect(formatRefusal(makeConversation(), 'fan', 'Ana')).toBeUndefined();
});
