import type { ChildProcess } from 'node:child_process';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createProcesses, findFreePort } from '../../testing/processes.ts';
import { createTestClock } from '../clock.ts';
import { createLogger } from '../log.ts';
import { createRedis, type Redis } from '../realtime/redis.ts';
import { createRateLimits, type RateLimit } from './rate-limit.ts';

const processes = createProcesses();
const log = createLogger({ level: 'silent', isPretty: false });
const clock = createTestClock(new Date());
let server: ChildProcess;
let shared: Redis[];
beforeAll(async () => {
  const port = await findFreePort();
  server = await processes.startRedis(port);
  shared = [0, 1].map(() => createRedis(`redis://127.0.0.1:${port}`, log, clock));
  for (const redis of shared) await redis.open();
});
afterAll(async () => {
  server.kill('SIGCONT');
  for (const redis of shared) await redis.close();
  await processes.endAll();
});

async function countPassed(
  limit: RateLimit,
  key: string,
  tries: number,
  redisByProcess: readonly (Redis | undefined)[],
): Promise<number> {
  const limits = redisByProcess.map((redis) => createRateLimits(clock, redis));
  let count = 0;
  for (let n = 0; n < tries; n += 1) if ((await limits[n % limits.length]?.countShared(limit, key)) === 0) count += 1;
  return count;
}
const SMALL_LIMIT: RateLimit = { name: 'few', max: 10, windowMs: 60_000 };
const LARGE_LIMIT: RateLimit = { name: 'many', max: 600, windowMs: 60_000 };

test('a small limit is exact across processes, and a large one is exceeded by at most a twentieth per process', async () => {
  expect(await countPassed(SMALL_LIMIT, 'one', 40, shared)).toBe(10);
  expect(await countPassed(SMALL_LIMIT, 'two', 40, shared)).toBe(10);
  const many = await countPassed(LARGE_LIMIT, 'one', 1_500, shared);
  expect(many).toBeGreaterThanOrEqual(600);
  expect(many).toBeLessThanOrEqual(630);
});

test('of calls at the same moment, as many pass as the limit allows', async () => {
  const limit: RateLimit = { name: 'burst', max: 20, windowMs: 60_000 };
  const countPassedAtOnce = async (key: string, processes: readonly (Redis | undefined)[]) => {
    const limits = processes.map((redis) => createRateLimits(clock, redis));
    const calls = Array.from({ length: 22 }, (_, index) => limits[index % limits.length]?.countShared(limit, key));
    return (await Promise.all(calls)).filter((waitMs) => waitMs === 0).length;
  };
  expect(await countPassedAtOnce('alone', [undefined])).toBe(20);
  expect(await countPassedAtOnce('one process', shared.slice(0, 1))).toBe(20);
  expect(await countPassedAtOnce('two processes', shared)).toBe(20);
});

test('a Redis that lost its data does not lengthen a window', async () => {
  const limits = createRateLimits(clock, shared[0]);
  const limit: RateLimit = { name: 'lost', max: 10, windowMs: 60_000 };
  for (let calls = 0; calls < 8; calls += 1) await limits.countShared(limit, 'a');
  clock.advance(50_000);
  await shared[0]?.runScript("redis.call('FLUSHALL') return 1", 'unused', []);
  await limits.countShared(limit, 'a');
  clock.advance(11_000);
  const waits = Array.from({ length: 10 }, () => limits.count(limit, 'a'));
  expect(waits.filter((waitMs) => waitMs === 0)).toHaveLength(10);
});

test('a sliding limit does not count a call that another process’s calls refuse', async () => {
  const limit = { name: 'sliding', windows: [{ max: 2, windowMs: 60_000 }] };
  const [one, other] = shared.map((redis) => createRateLimits(clock, redis));
  for (let calls = 0; calls < 2; calls += 1) expect(await one?.countSliding(limit, 'a')).toBe(0);
  for (let calls = 0; calls < 2; calls += 1) expect(await other?.countSliding(limit, 'a')).toBeGreaterThan(0);
  await shared[0]?.runScript("redis.call('FLUSHALL') return 1", 'unused', []);
  expect(await other?.countSliding(limit, 'a')).toBe(0);
});

test('the factor multiplies a limit unless it is fixed', () => {
  const limits = createRateLimits(clock, undefined, 0.5);
  const countPassing = (limit: RateLimit) =>
    Array.from({ length: 12 }, () => limits.count(limit, 'a')).filter((waitMs) => waitMs === 0).length;
  expect(countPassing({ ...SMALL_LIMIT, name: 'scaled' })).toBe(5);
  expect(countPassing({ ...SMALL_LIMIT, name: 'fixed', isFixed: true })).toBe(10);
});

test('a large limit rarely queries Redis', async () => {
  const [redis] = shared;
  if (!redis) throw new Error('there is no Redis');
  const runScript = vi.spyOn(redis, 'runScript');
  expect(await countPassed({ ...LARGE_LIMIT, name: 'rare' }, 'one', 600, [redis])).toBe(600);
  expect(runScript.mock.calls.length).toBeLessThanOrEqual(21);
  runScript.mockRestore();
});

test('without Redis, a limit counts each name and key in a window from the first call', async () => {
  expect(await countPassed(SMALL_LIMIT, 'alone', 20, [undefined])).toBe(10);
  const limits = createRateLimits(clock, undefined);
  for (let n = 0; n < 10; n += 1) expect(limits.count(SMALL_LIMIT, 'a')).toBe(0);
  clock.advance(59_000);
  expect(limits.count(SMALL_LIMIT, 'a')).toBe(1_000);
  expect(limits.count(SMALL_LIMIT, 'b')).toBe(0);
  expect(limits.count({ ...SMALL_LIMIT, name: 'other' }, 'a')).toBe(0);
  clock.advance(1_000);
  expect(limits.count(SMALL_LIMIT, 'a')).toBe(0);
});

test('while Redis is stopped, each process counts by itself without waiting', async () => {
  server.kill('SIGSTOP');
  const from = performance.now();
  expect(await countPassed(SMALL_LIMIT, 'stopped', 40, shared)).toBe(20);
  expect(performance.now() - from).toBeLessThan(5_000);
});

test('expired counts are removed from memory, even if longer windows continue', () => {
  const movingClock = createTestClock(new Date());
  const limits = createRateLimits(movingClock, undefined);
  limits.count({ name: 'a day', max: 1, windowMs: 24 * 60 * 60_000 }, 'one');
  for (let n = 0; n < 1_000; n += 1) limits.count(SMALL_LIMIT, `${n}`);
  expect(limits.size).toBe(1_001);
  movingClock.advance(60_001);
  limits.count(SMALL_LIMIT, 'late');
  expect(limits.size).toBe(2);
  expect(limits.count({ name: 'a day', max: 1, windowMs: 24 * 60 * 60_000 }, 'one')).toBeGreaterThan(0);
});
