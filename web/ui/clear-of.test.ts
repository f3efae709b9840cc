import { expect, test } from 'vitest';
import { type Box, liftOver, menuPlace } from './clear-of.ts';

const box = (top: number, bottom: number, left = 0, right = 390): Box => ({ top, bottom, left, right });
const BAR = box(720, 768, 20, 370);

test('a bar stays in place where it covers nothing', () => {
  expect(liftOver(BAR, [], 844)).toBe(0);
  expect(liftOver(BAR, [box(100, 156), box(784, 844)], 844)).toBe(0);
  expect(liftOver(BAR, [box(720, 768, 371, 390)], 844)).toBe(0);
});

test('a bar rises above everything that it would cover, also at its new position', () => {
  expect(liftOver(BAR, [box(700, 756)], 844)).toBe(768 + 8 - 700);
  expect(liftOver(BAR, [box(700, 756), box(640, 680)], 844)).toBe(768 + 8 - 640);
});

test('a bar moves between two elements if there is enough space', () => {
  const lift = liftOver(BAR, [box(700, 756), box(500, 556)], 844);
  expect([BAR.top - lift, BAR.bottom - lift]).toEqual([644, 692]);
});

test('a bar stays in place if the whole window would be covered', () => {
  expect(liftOver(BAR, [box(0, 844)], 844)).toBe(0);
});

test('a menu opens below or above its button, where more fits, and never exceeds the space', () => {
  const between = { from: 60, to: 784 };
  expect(menuPlace(box(100, 144), 470, between)).toEqual({ isAbove: false, most: 784 - 144 - 12 });
  expect(menuPlace(box(620, 664), 470, between)).toEqual({ isAbove: true, most: 620 - 60 - 12 });
  expect(menuPlace(box(620, 664), 100, between)).toEqual({ isAbove: false, most: 784 - 664 - 12 });
  expect(menuPlace(box(300, 344), 470, between)).toEqual({ isAbove: false, most: 784 - 344 - 12 });
});
