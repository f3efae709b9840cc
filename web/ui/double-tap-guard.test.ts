import { expect, test } from 'vitest';
import { isDoubleTap, type TapEvent } from './double-tap-guard.ts';

const createTap = (change: Partial<TapEvent> = {}): TapEvent => ({
  ...{ clientX: 200, clientY: 700, timeStamp: 1_000, pointerType: 'touch' },
  ...change,
});

test.each([
  ['a thumb a moment later, about there', { timeStamp: 1_200, clientX: 210, clientY: 712 }, true],
  ['a thumb elsewhere', { timeStamp: 1_200, clientY: 640 }, false],
  ['a thumb that took its time', { timeStamp: 1_500 }, false],
  ['a mouse that was not moved', { timeStamp: 1_200, pointerType: 'mouse' }, true],
  ['a mouse a little beside', { timeStamp: 1_200, pointerType: 'mouse', clientX: 210 }, false],
])('recognizes a second tap correctly: %s', (_, change, isSecond) =>
  expect(isDoubleTap(createTap(change), createTap())).toBe(isSecond),
);
