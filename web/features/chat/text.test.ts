import { describe, expect, test } from 'vitest';
import { dayLabel, timeOf, whenOf } from './clock.ts';
import { lineFacts } from './merge.ts';
import { IDS, makeConversation, makeMessage } from './testing.ts';
import { isEmojiOnly, partsOf } from './thread/links.tsx';
import { lineOf, refusalWords } from './words.ts';

describe('links', () => {
  test('turn URLs into links without the surrounding punctuation', () => {
    expect(partsOf('See https://example.org/a_(b)?q=1, or (www.example.org).')).toEqual([
      { text: 'See ' },
      { text: 'https://example.org/a_(b)?q=1', href: 'https://example.org/a_(b)?q=1' },
      { text: ', or (' },
      { text: 'www.example.org', href: 'https://www.example.org/' },
      { text: ').' },
    ]);
  });

  test('are created only for http and https', () => {
    for (const text of ['javascript:alert(1)', 'data:text/html,x', '<a href="x">y</a>', 'https://', 'http://localhost'])
      expect(partsOf(text).every(({ href }) => href === undefined)).toBe(true);
  });
});

test('up to three emoji alone are large, other text is not', () => {
  for (const text of ['🎻', '👩‍👩‍👧 ❤️', '🇵🇹🇵🇹']) expect(isEmojiOnly(text), text).toBe(true);
  for (const text of ['12', '🎻!', '', '🎻🎻🎻🎻', 'a🎻']) expect(isEmojiOnly(text), text).toBe(false);
});

test("dates follow the reader's time zone", () => {
  const now = '2026-03-02T10:00:00.000Z';
  expect(dayLabel('2026-03-02T00:30:00.000Z', now)).toBe('Today');
  expect(dayLabel('2026-03-02T00:30:00.000Z', now, 'America/New_York')).toBe('Yesterday');
  expect(dayLabel('2026-02-27T10:00:00.000Z', now)).toBe('27 Feb');
  expect(dayLabel('2025-02-27T10:00:00.000Z', now)).toBe('27 Feb 2025');
  expect(timeOf('2026-03-02T00:30:00.000Z', 'Asia/Kolkata')).toBe('06:00');
  expect(whenOf('2026-02-27T10:00:00.000Z', now)).toBe('Fri');
  expect(whenOf('2026-03-02T09:00:00.000Z', now)).toBe('09:00');
});

test('the preview of a conversation shows the sender, the type and the price', () => {
  const after = (change: Parameters<typeof makeMessage>[0]) => lineOf(lineFacts(makeMessage(change)), 'fan');
  expect(after({ text: 'hello' })).toBe('hello');
  expect(after({ text: 'hello', ownerType: 'customer', ownerId: IDS.me })).toBe('You: hello');
  expect(after({ type: 'image', text: '', pendingMedia: 1, price: 8 })).toBe('Photo · $8.00');
  expect(after({ type: 'image', text: 'Look', pendingMedia: 3, price: 8, isPurchased: true })).toBe('3 files: Look');
});

test('every reason for not being able to write has a message, and an own block says so', () => {
  const refused = (refusal: 'waiting' | 'followers' | 'blocked' | 'gone', isBlockedByMe = false) =>
    makeConversation({
      info: { isBlocked: refusal === 'blocked', isBlockedByMe, request: 'accept', canSend: false, refusal },
    });
  for (const refusal of ['waiting', 'followers', 'blocked', 'gone'] as const)
    expect(refusalWords(refused(refusal), 'fan', 'Ana')?.line).toMatch(/\w/);
  expect(refusalWords(refused('blocked', true), 'creator', 'Ana')?.line).toBe('You blocked Ana.');
  expect(refusalWords(makeConversation(), 'fan', 'Ana')).toBeUndefined();
});
