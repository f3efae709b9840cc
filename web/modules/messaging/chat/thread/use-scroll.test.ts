import { expect, it } from 'vitest';
import { hasScrolledUp } from './use-scroll.ts';

it("counts a scroll up as the reader's when the height stays the same", () => {
  expect(hasScrolledUp({ top: 900, height: 2_000 }, { top: 500, height: 2_000 }, false)).toBe(true);
});

it("does not count the list's own correction for rows that are lower than expected", () => {
  expect(hasScrolledUp({ top: 198, height: 917 }, { top: 189, height: 1_665 }, false)).toBe(false);
  expect(hasScrolledUp({ top: 900, height: 2_000 }, { top: 700, height: 1_800 }, false)).toBe(false);
});

it('counts a scroll up right after wheel, touch or key input although a message arrives', () => {
  expect(hasScrolledUp({ top: 900, height: 2_000 }, { top: 500, height: 2_748 }, true)).toBe(true);
});

it('counts neither a scroll down nor a rounded pixel', () => {
  expect(hasScrolledUp({ top: 500, height: 2_000 }, { top: 900, height: 2_000 }, true)).toBe(false);
  expect(hasScrolledUp({ top: 500.5, height: 2_000 }, { top: 499.8, height: 2_000 }, true)).toBe(false);
});
