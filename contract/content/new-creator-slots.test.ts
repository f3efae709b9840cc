import { expect, test } from 'vitest';
import { countSlotsBefore, mergeNewCreators, NEW_CREATOR_SLOTS } from './new-creator-slots.ts';

const others = Array.from({ length: 40 }, (_, index) => `o${index}`);
const newCreators = Array.from({ length: NEW_CREATOR_SLOTS.max }, (_, index) => `n${index}`);

test('every sixth slot shows a new creator, and each creator appears exactly once', () => {
  const list = mergeNewCreators(others, newCreators, 0, 100);
  expect(list).toHaveLength(others.length + newCreators.length);
  expect(new Set(list).size).toBe(list.length);
  for (const [index, one] of list.entries())
    if (index < NEW_CREATOR_SLOTS.every * newCreators.length)
      expect(one.startsWith('n'), `${index}`).toBe((index + 1) % NEW_CREATOR_SLOTS.every === 0);
  expect(list.filter((one) => one.startsWith('o'))).toEqual(others);
});

test.each([1, 5, 6, 7, 12, 20])('pages of %i items add up to the same list', (size) => {
  const whole = mergeNewCreators(others, newCreators, 0, 100);
  const pages: string[] = [];
  for (let skip = 0; skip < whole.length; skip += size) {
    const from = skip - countSlotsBefore(skip, newCreators.length);
    pages.push(...mergeNewCreators(others.slice(from, from + size), newCreators, skip, size));
  }
  expect(pages.slice(0, whole.length)).toEqual(whole);
});

test('a short list, or one without new creators, has no gaps', () => {
  expect(mergeNewCreators(['o0'], ['n0', 'n1'], 0, 12)).toEqual(['o0', 'n0', 'n1']);
  expect(mergeNewCreators(others, [], 0, 8)).toEqual(others.slice(0, 8));
});
