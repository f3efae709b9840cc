/** Which case is next in a list: also of one that left it meanwhile. */
import { expect, test } from 'vitest';
import { nextOf } from './walk.ts';

test('a case in the list has a next and one before, and none beyond its ends', () => {
  const list = { before: [], now: ['a', 'b', 'c'] };
  expect([nextOf(list, 'b', 1), nextOf(list, 'b', -1)]).toEqual(['c', 'a']);
  expect([nextOf(list, 'c', 1), nextOf(list, 'a', -1)]).toEqual([undefined, undefined]);
});

test('of a case that left it, the nearest that is still there, in its direction', () => {
  const list = { before: ['a', 'b', 'c', 'd'], now: ['a', 'd', 'e'] };
  expect([nextOf(list, 'b', 1), nextOf(list, 'c', -1)]).toEqual(['d', 'a']);
  expect(nextOf({ before: ['a', 'b'], now: ['a'] }, 'b', 1)).toBeUndefined();
  expect(nextOf({ before: [], now: ['a'] }, 'x', -1)).toBeUndefined();
});
