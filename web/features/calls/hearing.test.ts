import { expect, test } from 'vitest';
import { isHeard } from './hearing.ts';
import { BEST, nextQuality, type Sample, STEPS } from './quality.ts';

const open = { isConnected: true, signAt: 9_000, mediaAt: undefined, flowsSince: undefined };

test('while the clock is stopped, a connection with recent heartbeats counts as alive', () => {
  expect(isHeard(open, 10_000)).toBe(true);
  expect(isHeard({ ...open, isConnected: false }, 10_000)).toBe(false);
  expect(isHeard({ ...open, signAt: undefined }, 10_000)).toBe(false);
  expect(isHeard(open, 13_000)).toBe(false);
});

test('while the clock runs, audio or video packets must arrive after a grace period', () => {
  const flowing = { ...open, signAt: 20_000, flowsSince: 10_000 };
  expect(isHeard({ ...flowing, signAt: 12_000 }, 12_000)).toBe(true);
  expect(isHeard(flowing, 20_000)).toBe(false);
  expect(isHeard({ ...flowing, mediaAt: 18_000 }, 20_000)).toBe(true);
  expect(isHeard({ ...flowing, mediaAt: 15_000 }, 20_000)).toBe(false);
});

const seconds = (count: number, sample: Sample, from = BEST) =>
  Array.from({ length: count }).reduce<typeof BEST>((quality) => nextQuality(quality, sample), from);

test('picture quality steps down after bad seconds and up again only after eight good ones', () => {
  const bad = { loss: 0.2, available: undefined };
  const good = { loss: 0, available: 5_000_000 };
  expect(seconds(1, bad).level).toBe(0);
  expect(seconds(2, bad).level).toBe(1);
  const worst = seconds(60, bad);
  expect(worst.level).toBe(STEPS.length);
  expect(seconds(7, good, worst).level).toBe(STEPS.length);
  expect(seconds(8, good, worst).level).toBe(STEPS.length - 1);
  expect(seconds(8 * STEPS.length, good, worst).level).toBe(0);
});

test('low bandwidth settles on a smaller picture and stays there', () => {
  const narrow = { loss: 0, available: 250_000 };
  const settled = seconds(60, narrow);
  expect(settled.level).toBe(2);
  expect(seconds(60, narrow, settled).level).toBe(2);
});
