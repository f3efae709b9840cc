/** Rests between the steps of work for many: as long as the work says, no longer than others wait for its end, and none in a hurry. */
import { expect, test } from 'vitest';
import { rest, restingStep } from './rest.ts';

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}
/** Timers are a little early at times. */
const EARLY_MS = 5;

test('a rest is twice the work before it, half a second at most, and none for a process that drains', async () => {
  expect(await timeOf(() => rest(100))).toBeGreaterThan(200 - EARLY_MS);
  const long = await timeOf(() => rest(600_000));
  expect(long).toBeGreaterThan(500 - EARLY_MS);
  expect(long).toBeLessThan(60_000);
  expect(await timeOf(() => rest(600_000, AbortSignal.abort()))).toBeLessThan(500 - EARLY_MS);
  const draining = new AbortController();
  setTimeout(() => draining.abort(), 20);
  expect(await timeOf(() => rest(600_000, draining.signal))).toBeLessThan(500 - EARLY_MS);
});

test('a step that goes on is followed by a rest, the last one by none', async () => {
  const workMs = 100;
  const step = (next: string | null) => timeOf(() => restingStep(undefined, () => rest(workMs / 2).then(() => next)));
  expect(await step('there')).toBeGreaterThan(3 * workMs - EARLY_MS);
  expect(await step(null)).toBeLessThan(3 * workMs - EARLY_MS);
  expect(await restingStep(undefined, async () => 'there')).toBe('there');
  await expect(restingStep(undefined, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
});
