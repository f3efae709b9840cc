import { expect, test } from 'vitest';
import { FAIR_SHARE, newcomersBefore, withNewcomers } from './fair-share.ts';

const others = Array.from({ length: 40 }, (_, index) => `o${index}`);
const newcomers = Array.from({ length: FAIR_SHARE.most }, (_, index) => `n${index}`);

test('every sixth slot shows a new creator, and each creator appears exactly once', () => {
  const list = withNewcomers(others, newcomers, 0, 100);
  expect(list).toHaveLength(others.length + newcomers.length);
  expect(new Set(list).size).toBe(list.length);
  for (const [index, one] of list.entries())
    if (index < FAIR_SHARE.every * newcomers.length)
      expect(one.startsWith('n'), `${index}`).toBe((index + 1) % FAIR_SHARE.every === 0);
  expect(list.filter((one) => one.startsWith('o'))).toEqual(others);
});

test.each([1, 5, 6, 7, 12, 20])('pages of %i items add up to the same list', (size) => {
  const whole = withNewcomers(others, newcomers, 0, 100);
  const pages: string[] = [];
  for (let skip = 0; skip < whole.length; skip += size) {
    const from = skip - newcomersBefore(skip, newcomers.length);
    pages.push(...withNewcomers(others.slice(from, from + size), newcomers, skip, size));
  }
  expect(pages.slice(0, whole.length)).toEqual(whole);
});

test('a short list, or one without new creators, has no gaps', () => {
  expect(withNewcomers(['o0'], ['n0', 'n1'], 0, 12)).toEqual(['o0', 'n0', 'n1']);
  expect(withNewcomers(others, [], 0, 8)).toEqual(others.slice(0, 8));
});
