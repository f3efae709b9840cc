import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { createConcurrencyLimit } from './concurrency-limit.ts';

afterEach(() => void vi.useRealTimers());

const createError = () => new AppError('RATE_LIMITED');
const settle = async () => {
  for (let turns = 0; turns < 10; turns += 1) await Promise.resolve();
};

test('runs as many tasks as there are slots, the others in order, and refuses those beyond the queue', async () => {
  const limit = createConcurrencyLimit({ max: 2, maxWaiting: 2, createError });
  const started: number[] = [];
  const ends: (() => void)[] = [];
  const run = (n: number) =>
    limit.run(() => {
      started.push(n);
      return new Promise<number>((resolve) => void ends.push(() => resolve(n)));
    });
  const runs = [run(0), run(1), run(2), run(3)];
  await expect(run(4)).rejects.toThrow(AppError);
  expect(started).toEqual([0, 1]);
  ends[0]?.();
  expect(await runs[0]).toBe(0);
  await settle();
  expect(started).toEqual([0, 1, 2]);
  ends[1]?.();
  await settle();
  for (const end of ends) end();
  await settle();
  ends[3]?.();
  expect(await Promise.all(runs)).toEqual([0, 1, 2, 3]);
  expect([limit.tryAcquire(), limit.tryAcquire(), limit.tryAcquire()]).toEqual([true, true, false]);
});

test('frees the slot of a task that failed', async () => {
  const limit = createConcurrencyLimit({ max: 1 });
  await expect(limit.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await limit.run(async () => 'done')).toBe('done');
});

test('counts each key by itself', () => {
  const limit = createConcurrencyLimit({ max: 1 });
  expect([limit.tryAcquire('ada'), limit.tryAcquire('ada'), limit.tryAcquire('eva')]).toEqual([true, false, true]);
  limit.release('ada');
  expect([limit.isFull('ada'), limit.isFull('eva')]).toEqual([false, true]);
});

test('waits only if there is no free slot, and refuses after the longest wait', async () => {
  vi.useFakeTimers();
  const limit = createConcurrencyLimit({ max: 1, maxWaiting: 2, waitMs: 1_000, createError });
  expect(limit.acquire('ada')).toBeUndefined();
  const [late, next] = [limit.acquire('ada'), limit.acquire('ada')];
  expect(() => limit.acquire('ada')).toThrow(AppError);
  const refusals = Promise.allSettled([late, next]);
  vi.advanceTimersByTime(999);
  limit.release('ada');
  vi.advanceTimersByTime(1);
  expect((await refusals).map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(limit.isFull('ada')).toBe(true);
  limit.release('ada');
  expect(limit.isFull('ada')).toBe(false);
});

test('limits the sum of units', () => {
  const limit = createConcurrencyLimit({ max: 100 });
  expect([limit.tryAcquire('home', 60), limit.tryAcquire('home', 41), limit.tryAcquire('home', 40)]).toEqual([
    ...[true, false, true],
  ]);
  limit.release('home', 60);
  expect(limit.isFull('home', 60)).toBe(false);
});

test('refuses with UNAVAILABLE by default', async () => {
  const limit = createConcurrencyLimit({ max: 1 });
  limit.tryAcquire();
  await expect(limit.run(async () => undefined)).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    data: { retryAfterSeconds: 5 },
  });
});
