import { expect, test } from 'vitest';
import { findNextCase } from './use-case-navigation.ts';

test('a case in the list has a next and a previous case, but none beyond the ends', () => {
  const list = { previous: [], current: ['a', 'b', 'c'] };
  expect([findNextCase(list, 'b', 1), findNextCase(list, 'b', -1)]).toEqual(['c', 'a']);
  expect([findNextCase(list, 'c', 1), findNextCase(list, 'a', -1)]).toEqual([undefined, undefined]);
});

test('for a case that left the list, the nearest remaining case in the direction is used', () => {
  const list = { previous: ['a', 'b', 'c', 'd'], current: ['a', 'd', 'e'] };
  expect([findNextCase(list, 'b', 1), findNextCase(list, 'c', -1)]).toEqual(['d', 'a']);
  expect(findNextCase({ previous: ['a', 'b'], current: ['a'] }, 'b', 1)).toBeUndefined();
  expect(findNextCase({ previous: [], current: ['a'] }, 'x', -1)).toBeUndefined();
});
