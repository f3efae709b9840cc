import { expect, test } from 'vitest';
import { findMarkerIndex, getSeenBefore, saveSeen } from './caught-up.ts';

function createStore() {
  const stored = new Map<string, string>();
  return {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  };
}
const MINUTE = 60_000;
const at = (minute: number) => `2026-11-20T10:${String(minute).padStart(2, '0')}:00.000Z`;
const posts = [50, 40, 30].map((minute) => ({ createdAt: at(minute) }));

test('the first visit has no marker, and the next one keeps it where the previous visit ended', () => {
  const [local, first, second] = [createStore(), createStore(), createStore()];
  expect(getSeenBefore(local, first, 'june', 0)).toBe('');
  saveSeen(local, 'june', at(30));
  expect(getSeenBefore(local, first, 'june', MINUTE)).toBe('');

  expect(getSeenBefore(local, second, 'june', 0)).toBe(at(30));
  saveSeen(local, 'june', at(50));
  saveSeen(local, 'june', at(40));
  expect(getSeenBefore(local, second, 'june', 29 * MINUTE)).toBe(at(30));
  expect(getSeenBefore(local, second, 'june', 58 * MINUTE)).toBe(at(30));
  expect(getSeenBefore(local, second, 'june', 90 * MINUTE)).toBe(at(50));
  expect(getSeenBefore(local, second, 'noor', 90 * MINUTE)).toBe('');
});

test('the marker is placed only between new and already seen posts', () => {
  expect(findMarkerIndex(posts, at(40))).toBe(1);
  expect(findMarkerIndex(posts, at(35))).toBe(2);
  expect(findMarkerIndex(posts, at(50))).toBe(-1);
  expect(findMarkerIndex(posts, at(10))).toBe(-1);
  expect(findMarkerIndex(posts, '')).toBe(-1);
  expect(findMarkerIndex([], at(10))).toBe(-1);
});
