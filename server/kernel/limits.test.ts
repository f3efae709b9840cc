import type { ChildProcess } from 'node:child_process';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createProcesses, freePort } from '../testing/processes.ts';
import { testClock } from './clock.ts';
import { createLimits, type Limit } from './limits.ts';
import { createLogger } from './log.ts';
import { createRedis, type Redis } from './redis.ts';

const processes = createProcesses();
const log = createLogger({ level: 'silent', isPretty: false });
const clock = testClock(new Date());
let server: ChildProcess;
let shared: Redis[];
beforeAll(async () => {
  const port = await freePort();
  server = await processes.startRedis(port);
  shared = [0, 1].map(() => createRedis(`redis://127.0.0.1:${port}`, log, clock));
  for (const redis of shared) await redis.open();
});
afterAll(async () => {
  server.kill('SIGCONT');
  for (const redis of shared) await redis.close();
  await processes.endAll();
});

async function passed(
  limit: Limit,
  key: string,
  tries: number,
  nodes: readonly (Redis | undefined)[],
): Promise<number> {
  const limits = nodes.map((redis) => createLimits(clock, redis));
  let count = 0;
  for (let n = 0; n < tries; n += 1) if ((await limits[n % limits.length]?.countShared(limit, key)) === 0) count += 1;
  return count;
}
const FEW: Limit = { name: 'few', max: 10, windowMs: 60_000 };
const MANY: Limit = { name: 'many', max: 600, windowMs: 60_000 };

test('a small limit is exact across processes, and a large one is exceeded by at most a twentieth per process', async () => {
  expect(await passed(FEW, 'one', 40, shared)).toBe(10);
  expect(await passed(FEW, 'two', 40, shared)).toBe(10);
  const many = await passed(MANY, 'one', 1_500, shared);
  expect(many).toBeGreaterThanOrEqual(600);
  expect(many).toBeLessThanOrEqual(630);
});

test('a large limit rarely queries Redis', async () => {
  const [redis] = shared;
  if (!redis) throw new Error('there is no Redis');
  const ask = vi.spyOn(redis, 'ask');
  expect(await passed({ ...MANY, name: 'rare' }, 'one', 600, [redis])).toBe(600);
  expect(ask.mock.calls.length).toBeLessThanOrEqual(21);
  ask.mockRestore();
});

test('without Redis, a limit counts each name and key in a window from the first call', async () => {
  expect(await passed(FEW, 'alone', 20, [undefined])).toBe(10);
  const limits = createLimits(clock, undefined);
  for (let n = 0; n < 10; n += 1) expect(limits.count(FEW, 'a')).toBe(0);
  clock.advance(59_000);
  expect(limits.count(FEW, 'a')).toBe(1_000);
  expect(limits.count(FEW, 'b')).toBe(0);
  expect(limits.count({ ...FEW, name: 'other' }, 'a')).toBe(0);
  clock.advance(1_000);
  expect(limits.count(FEW, 'a')).toBe(0);
});

test('while Redis is stopped, each process counts by itself without waiting', async () => {
  server.kill('SIGSTOP');
  const from = performance.now();
  expect(await passed(FEW, 'stopped', 40, shared)).toBe(20);
  expect(performance.now() - from).toBeLessThan(5_000);
});

test('expired counts are removed from memory, even if longer windows continue', () => {
  const moving = testClock(new Date());
  const limits = createLimits(moving, undefined);
  limits.count({ name: 'a day', max: 1, windowMs: 24 * 60 * 60_000 }, 'one');
  for (let n = 0; n < 1_000; n += 1) limits.count(FEW, `${n}`);
  expect(limits.size).toBe(1_001);
  moving.advance(60_001);
  limits.count(FEW, 'late');
  expect(limits.size).toBe(2);
  expect(limits.count({ name: 'a day', max: 1, windowMs: 24 * 60 * 60_000 }, 'one')).toBeGreaterThan(0);
});
