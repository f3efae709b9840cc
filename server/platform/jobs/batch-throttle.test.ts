import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, test, vi } from 'vitest';
import { pauseBetweenBatches, runThrottledStep } from './batch-throttle.ts';

vi.mock('node:timers/promises', async (original) => {
  const real = await original<{ setTimeout: typeof sleep }>();
  return { ...real, setTimeout: vi.fn(real.setTimeout) };
});
const slept = vi.mocked(sleep);
const listPauses = () => slept.mock.calls.map(([ms]) => ms ?? 0);
beforeEach(() => void slept.mockClear());

test('a pause lasts twice the work, at most half a second, and ends when the process drains', async () => {
  await pauseBetweenBatches(100);
  await pauseBetweenBatches(600_000);
  expect(listPauses()).toEqual([200, 500]);
  await pauseBetweenBatches(600_000, AbortSignal.abort());
  expect(listPauses()).toHaveLength(2);
  const draining = new AbortController();
  slept.mockImplementationOnce(async (_ms, _value, options) => {
    draining.abort();
    options?.signal?.throwIfAborted();
    throw new Error('the pause ignores that its process drains');
  });
  await pauseBetweenBatches(600_000, draining.signal);
  expect(slept).toHaveBeenLastCalledWith(500, undefined, { signal: draining.signal });
});

test('a step is followed by a pause unless it was the last one', async () => {
  const workMs = 100;
  const step = (next: string | null) =>
    runThrottledStep(undefined, () => pauseBetweenBatches(workMs / 2).then(() => next));
  expect(await step('there')).toBe('there');
  const [worked, paused = 0] = listPauses();
  expect([worked, listPauses().length]).toEqual([workMs, 2]);
  expect(paused).toBeGreaterThan(2 * workMs - 10);
  expect(await step(null)).toBeNull();
  expect(listPauses()).toEqual([workMs, paused, workMs]);
  await expect(runThrottledStep(undefined, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(listPauses()).toHaveLength(3);
});
