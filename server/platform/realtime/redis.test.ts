import type { ChildProcess } from 'node:child_process';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createProcesses, findFreePort, killProcess } from '../../testing/processes.ts';
import { systemClock } from '../clock.ts';
import { createLogger } from '../log.ts';
import { createRedis, type Redis } from './redis.ts';

const processes = createProcesses();
const opened: Redis[] = [];
let server: ChildProcess;
let port = 0;
beforeAll(async () => {
  port = await findFreePort();
  server = await processes.startRedis(port);
});
afterEach(async () => {
  server.kill('SIGCONT');
  for (const redis of opened.splice(0)) await redis.close();
});
afterAll(() => processes.endAll());

const until = (assertion: () => void) => vi.waitFor(assertion, { timeout: 30_000, interval: 20 });
const MAX_WAIT_MS = 20_000;
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

type Open = Redis & { received: unknown[] };
async function open(): Promise<Open> {
  const redis = createRedis(
    `redis://127.0.0.1:${port}`,
    createLogger({ level: 'silent', isPretty: false }),
    systemClock,
  );
  opened.push(redis);
  const received: unknown[] = [];
  redis.on('said', (payload) => received.push(payload));
  redis.onGap((since, isOwnLoss) => received.push({ since, isOwnLoss }));
  await redis.open();
  await until(() => expect(redis.isAvailable()).toBe(true));
  return { ...redis, received };
}

const COUNT = "return redis.call('INCR', KEYS[1]) + tonumber(ARGV[1])";
const runCount = (redis: Redis) => redis.runScript(COUNT, `count ${Math.random()}`, ['41']);
async function measure(work: () => Promise<unknown>): Promise<{ answer: unknown; ms: number }> {
  const from = performance.now();
  const answer = await work();
  return { answer, ms: performance.now() - from };
}

test('a published message reaches all other processes in order, but not its sender', async () => {
  const [one, two, three] = [await open(), await open(), await open()];
  const sent = Array.from({ length: 500 }, (_, n) => ({ n, text: 'ü💬' }));
  for (const payload of sent) one.publish('said', payload);
  one.publish('unheard', 1);
  await until(() => {
    for (const { received } of [two, three]) expect(received).toEqual(sent);
  });
  expect(one.received).toEqual([]);
});

test('a stopped Redis is waited for once and then bypassed until it responds, and a short stop loses nothing', async () => {
  const [one, two] = [await open(), await open()];
  expect(await runCount(one)).toBe(42);
  server.kill('SIGSTOP');
  expect(await runCount(one)).toBeUndefined();
  one.publish('said', 'meanwhile');
  server.kill('SIGCONT');
  await until(() => expect(two.received).toEqual(['meanwhile']));
  await until(() => expect(one.isAvailable()).toBe(true));
  await vi.waitFor(async () => expect(await runCount(one)).toBe(42), 30_000);

  const bypassed = one.countBypassed();
  server.kill('SIGSTOP');
  const first = await Promise.all([measure(() => runCount(one)), measure(() => runCount(one))]);
  for (const { answer, ms } of first) {
    expect(answer).toBeUndefined();
    expect(ms).toBeLessThan(MAX_WAIT_MS);
  }
  const from = performance.now();
  for (let n = 0; n < 1_000; n += 1) expect(await runCount(one)).toBeUndefined();
  expect(performance.now() - from).toBeLessThan(MAX_WAIT_MS);
  expect(one.isAvailable()).toBe(false);
  expect(one.countBypassed() - bypassed).toBe(1_002);
  server.kill('SIGCONT');
  await until(() => expect(one.isAvailable()).toBe(true));
  await vi.waitFor(async () => expect(await runCount(one)).toBe(42), 30_000);
});

test('an unresponsive Redis is noticed without queries', async () => {
  const one = await open();
  server.kill('SIGSTOP');
  await until(() => expect(one.isAvailable()).toBe(false));
  server.kill('SIGCONT');
  await until(() => expect(one.isAvailable()).toBe(true));
});

test('after a long stop, all processes learn since when messages are lost, before any later message', async () => {
  const [one, two] = [await open(), await open()];
  one.publish('said', 'before');
  await until(() => expect(two.received).toEqual(['before']));
  await wait(600);
  const stoppedAt = Date.now();
  server.kill('SIGSTOP');
  one.publish('said', 'lost');
  // Longer than it takes to give up the connection.
  await wait(3_200);
  one.publish('said', 'lost, too');
  server.kill('SIGCONT');
  await until(() => expect([one, two].map((redis) => redis.isAvailable())).toEqual([true, true]));
  one.publish('said', 'after');
  await until(() => expect(two.received.at(-1)).toBe('after'));
  const gap = { since: expect.any(Date), isOwnLoss: true };
  expect(two.received.slice(0, 2)).toEqual(['before', gap]);
  for (const { received } of [one, two]) {
    const gaps = received.flatMap((each) => (typeof each === 'string' ? [] : [Object(each)]));
    expect(gaps.length).toBeGreaterThan(0);
    const since = Math.min(...gaps.map((each) => each.since.getTime()));
    expect(since).toBeLessThanOrEqual(stoppedAt);
    expect(since).toBeGreaterThan(stoppedAt - 5_000);
  }
});

test('messages do not pile up for a Redis that accepts nothing', async () => {
  const one = await open();
  server.kill('SIGSTOP');
  const text = 'x'.repeat(100_000);
  const before = process.memoryUsage().rss;
  for (let n = 0; n < 1_200; n += 1) {
    one.publish('said', text);
    if (n % 50 === 0) await wait(1);
  }
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  expect(one.countBypassed()).toBeGreaterThan(1_100);
});

test('a killed Redis is bypassed at once and used again when it is back', async () => {
  const [one, two] = [await open(), await open()];
  await killProcess(server);
  await until(() => expect(one.isAvailable()).toBe(false));
  const { ms } = await measure(async () => {
    for (let n = 0; n < 1_000; n += 1) expect(await runCount(one)).toBeUndefined();
  });
  expect(ms).toBeLessThan(MAX_WAIT_MS);
  one.publish('said', 'lost');
  server = await processes.startRedis(port);
  await until(() => expect([one, two].map((redis) => redis.isAvailable())).toEqual([true, true]));
  expect(await runCount(one)).toBe(42);
  one.publish('said', 'after');
  await until(() => expect(two.received.at(-1)).toBe('after'));
  expect(two.received).not.toContain('lost');
  expect(two.received[0]).toEqual({ since: expect.any(Date), isOwnLoss: true });
});

test('a process that starts without Redis serves soon and reports a gap when Redis appears', async () => {
  await killProcess(server);
  const late = createRedis(
    `redis://127.0.0.1:${port}`,
    createLogger({ level: 'silent', isPretty: false }),
    systemClock,
  );
  opened.push(late);
  const gaps = vi.fn();
  late.onGap(gaps);
  const { ms } = await measure(() => late.open());
  expect(ms).toBeLessThan(MAX_WAIT_MS);
  expect(await late.runScript(COUNT, 'x', ['1'])).toBeUndefined();
  server = await processes.startRedis(port);
  await until(() => expect(late.isAvailable()).toBe(true));
  expect(gaps).toHaveBeenCalledWith(expect.any(Date), true);
});
