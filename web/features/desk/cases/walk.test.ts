import { expect, test } from 'vitest';
import { nextOf } from './walk.ts';

test('a case in the list has a next and a previous case, but none beyond the ends', () => {
  const list = { before: [], now: ['a', 'b', 'c'] };
  expect([nextOf(list, 'b', 1), nextOf(list, 'b', -1)]).toEqual(['c', 'a']);
  expect([nextOf(list, 'c', 1), nextOf(list, 'a', -1)]).toEqual([undefined, undefined]);
});

test('for a case that left the list, the nearest remaining case in the direction is used', () => {
  const list = { before: ['a', 'b', 'c', 'd'], now: ['a', 'd', 'e'] };
  expect([nextOf(list, 'b', 1), nextOf(list, 'c', -1)]).toEqual(['d', 'a']);
  expect(nextOf({ before: ['a', 'b'], now: ['a'] }, 'b', 1)).toBeUndefined();
  expect(nextOf({ before: [], now: ['a'] }, 'x', -1)).toBeUndefined();
});
