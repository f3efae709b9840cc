import { expect, test } from 'vitest';
import { markerIndex, noteSeen, seenBefore } from './caught-up.ts';

function store() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}
const MINUTE = 60_000;
const at = (minute: number) => `2026-11-20T10:${String(minute).padStart(2, '0')}:00.000Z`;
const posts = [50, 40, 30].map((minute) => ({ createdAt: at(minute) }));

test('the first visit has no marker, and the next one keeps it where the previous visit ended', () => {
  const [local, first, second] = [store(), store(), store()];
  expect(seenBefore(local, first, 'june', 0)).toBe('');
  noteSeen(local, 'june', at(30));
  expect(seenBefore(local, first, 'june', MINUTE)).toBe('');

  expect(seenBefore(local, second, 'june', 0)).toBe(at(30));
  noteSeen(local, 'june', at(50));
  noteSeen(local, 'june', at(40));
  expect(seenBefore(local, second, 'june', 29 * MINUTE)).toBe(at(30));
  expect(seenBefore(local, second, 'june', 58 * MINUTE)).toBe(at(30));
  expect(seenBefore(local, second, 'june', 90 * MINUTE)).toBe(at(50));
  expect(seenBefore(local, second, 'noor', 90 * MINUTE)).toBe('');
});

test('the marker is placed only between new and already seen posts', () => {
  expect(markerIndex(posts, at(40))).toBe(1);
  expect(markerIndex(posts, at(35))).toBe(2);
  expect(markerIndex(posts, at(50))).toBe(-1);
  expect(markerIndex(posts, at(10))).toBe(-1);
  expect(markerIndex(posts, '')).toBe(-1);
  expect(markerIndex([], at(10))).toBe(-1);
});

test('without storage there is no marker and no error', () => {
  const forbidden = {
    getItem: () => {
      throw new Error('denied');
    },
    setItem: () => {
      throw new Error('denied');
    },
  };
  noteSeen(forbidden, 'june', at(1));
  expect(seenBefore(forbidden, forbidden, 'june', 0)).toBe('');
});
