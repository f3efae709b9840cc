import { expect, test } from 'vitest';
import { calculateLift, calculateMenuPosition, type Rect } from './popover-position.ts';

const createRect = (top: number, bottom: number, left = 0, right = 390): Rect => ({ top, bottom, left, right });
const BAR = createRect(720, 768, 20, 370);

test('a bar stays in place where it covers nothing', () => {
  expect(calculateLift(BAR, [], 844)).toBe(0);
  expect(calculateLift(BAR, [createRect(100, 156), createRect(784, 844)], 844)).toBe(0);
  expect(calculateLift(BAR, [createRect(720, 768, 371, 390)], 844)).toBe(0);
});

test('a bar rises above everything that it would cover, also at its new position', () => {
  expect(calculateLift(BAR, [createRect(700, 756)], 844)).toBe(768 + 8 - 700);
  expect(calculateLift(BAR, [createRect(700, 756), createRect(640, 680)], 844)).toBe(768 + 8 - 640);
});

test('a bar moves between two elements if there is enough space', () => {
  const lift = calculateLift(BAR, [createRect(700, 756), createRect(500, 556)], 844);
  expect([BAR.top - lift, BAR.bottom - lift]).toEqual([644, 692]);
});

test('a bar stays in place if the whole window would be covered', () => {
  expect(calculateLift(BAR, [createRect(0, 844)], 844)).toBe(0);
});

test('a menu opens below or above its button, where more fits, and never exceeds the space', () => {
  const between = { from: 60, to: 784 };
  expect(calculateMenuPosition(createRect(100, 144), 470, between)).toEqual({
    isAbove: false,
    maxHeight: 784 - 144 - 12,
  });
  expect(calculateMenuPosition(createRect(620, 664), 470, between)).toEqual({
    isAbove: true,
    maxHeight: 620 - 60 - 12,
  });
  expect(calculateMenuPosition(createRect(620, 664), 100, between)).toEqual({
    isAbove: false,
    maxHeight: 784 - 664 - 12,
  });
  expect(calculateMenuPosition(createRect(300, 344), 470, between)).toEqual({
    isAbove: false,
    maxHeight: 784 - 344 - 12,
  });
});
