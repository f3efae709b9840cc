import { expect, test } from 'vitest';
import { isOtherSideAlive } from './liveness.ts';
import { BEST_QUALITY, type ConnectionSample, QUALITY_STEPS, toNextQuality } from './quality.ts';

const connected = { isConnected: true, lastHeartbeatAt: 9_000, lastMediaAt: undefined, mediaSince: undefined };

test('while the clock is stopped, a connection with recent heartbeats counts as alive', () => {
  expect(isOtherSideAlive(connected, 10_000)).toBe(true);
  expect(isOtherSideAlive({ ...connected, isConnected: false }, 10_000)).toBe(false);
  expect(isOtherSideAlive({ ...connected, lastHeartbeatAt: undefined }, 10_000)).toBe(false);
  expect(isOtherSideAlive(connected, 13_000)).toBe(false);
});

test('while the clock runs, audio or video packets must arrive after a grace period', () => {
  const flowing = { ...connected, lastHeartbeatAt: 20_000, mediaSince: 10_000 };
  expect(isOtherSideAlive({ ...flowing, lastHeartbeatAt: 12_000 }, 12_000)).toBe(true);
  expect(isOtherSideAlive(flowing, 20_000)).toBe(false);
  expect(isOtherSideAlive({ ...flowing, lastMediaAt: 18_000 }, 20_000)).toBe(true);
  expect(isOtherSideAlive({ ...flowing, lastMediaAt: 15_000 }, 20_000)).toBe(false);
});

const seconds = (count: number, sample: ConnectionSample, from = BEST_QUALITY) =>
  Array.from({ length: count }).reduce<typeof BEST_QUALITY>((quality) => toNextQuality(quality, sample), from);

test('picture quality steps down after bad seconds and up again only after eight good ones', () => {
  const bad = { loss: 0.2, available: undefined };
  const good = { loss: 0, available: 5_000_000 };
  expect(seconds(1, bad).level).toBe(0);
  expect(seconds(2, bad).level).toBe(1);
  const worst = seconds(60, bad);
  expect(worst.level).toBe(QUALITY_STEPS.length);
  expect(seconds(7, good, worst).level).toBe(QUALITY_STEPS.length);
  expect(seconds(8, good, worst).level).toBe(QUALITY_STEPS.length - 1);
  expect(seconds(8 * QUALITY_STEPS.length, good, worst).level).toBe(0);
});

test('low bandwidth settles on a smaller picture and stays there', () => {
  const narrow = { loss: 0, available: 250_000 };
  const settled = seconds(60, narrow);
  expect(settled.level).toBe(2);
  expect(seconds(60, narrow, settled).level).toBe(2);
});
