import type { ChildProcess } from 'node:child_process';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createProcesses, freePort, kill } from '../testing/processes.ts';
import { systemClock } from './clock.ts';
import { createLogger } from './log.ts';
import { createRedis, type Redis } from './redis.ts';

const processes = createProcesses();
const opened: Redis[] = [];
let server: ChildProcess;
let port = 0;
beforeAll(async () => {
  port = await freePort();
  server = await processes.startRedis(port);
});
afterEach(async () => {
  server.kill('SIGCONT');
  for (const redis of opened.splice(0)) await redis.close();
});
afterAll(() => processes.endAll());

const until = (look: () => void) => vi.waitFor(look, { timeout: 30_000, interval: 20 });
const AT_ONCE_MS = 20_000;
const settled = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

type Open = Redis & { heard: unknown[] };
async function open(): Promise<Open> {
  const redis = createRedis(
    `redis://127.0.0.1:${port}`,
    createLogger({ level: 'silent', isPretty: false }),
    systemClock,
  );
  opened.push(redis);
  const heard: unknown[] = [];
  redis.on('said', (payload) => heard.push(payload));
  redis.onGap((since, isOurs) => heard.push({ since, isOurs }));
  await redis.open();
  await until(() => expect(redis.isAnswering()).toBe(true));
  return { ...redis, heard };
}

const COUNT = "return redis.call('INCR', KEYS[1]) + tonumber(ARGV[1])";
const ask = (redis: Redis) => redis.ask(COUNT, `count ${Math.random()}`, ['41']);
async function timed(work: () => Promise<unknown>): Promise<{ answer: unknown; ms: number }> {
  const from = performance.now();
  const answer = await work();
  return { answer, ms: performance.now() - from };
}

test('a published message reaches all other processes in order, but not its sender', async () => {
  const [one, two, three] = [await open(), await open(), await open()];
  const said = Array.from({ length: 500 }, (_, n) => ({ n, text: 'ü💬' }));
  for (const payload of said) one.publish('said', payload);
  one.publish('unheard', 1);
  await until(() => {
    for (const { heard } of [two, three]) expect(heard).toEqual(said);
  });
  expect(one.heard).toEqual([]);
});

test('a stopped Redis is waited for once and then bypassed until it responds, and a short stop loses nothing', async () => {
  const [one, two] = [await open(), await open()];
  expect(await ask(one)).toBe(42);
  server.kill('SIGSTOP');
  expect(await ask(one)).toBeUndefined();
  one.publish('said', 'meanwhile');
  server.kill('SIGCONT');
  await until(() => expect(two.heard).toEqual(['meanwhile']));
  await until(() => expect(one.isAnswering()).toBe(true));
  await vi.waitFor(async () => expect(await ask(one)).toBe(42), 30_000);

  const passed = one.passes();
  server.kill('SIGSTOP');
  const first = await Promise.all([timed(() => ask(one)), timed(() => ask(one))]);
  for (const { answer, ms } of first) {
    expect(answer).toBeUndefined();
    expect(ms).toBeLessThan(AT_ONCE_MS);
  }
  const from = performance.now();
  for (let n = 0; n < 1_000; n += 1) expect(await ask(one)).toBeUndefined();
  expect(performance.now() - from).toBeLessThan(AT_ONCE_MS);
  expect(one.isAnswering()).toBe(false);
  expect(one.passes() - passed).toBe(1_002);
  server.kill('SIGCONT');
  await until(() => expect(one.isAnswering()).toBe(true));
  await vi.waitFor(async () => expect(await ask(one)).toBe(42), 30_000);
});

test('an unresponsive Redis is noticed without queries', async () => {
  const one = await open();
  server.kill('SIGSTOP');
  await until(() => expect(one.isAnswering()).toBe(false));
  server.kill('SIGCONT');
  await until(() => expect(one.isAnswering()).toBe(true));
});

test('after a long stop, all processes learn since when messages are lost, before any later message', async () => {
  const [one, two] = [await open(), await open()];
  one.publish('said', 'before');
  await until(() => expect(two.heard).toEqual(['before']));
  await settled(600);
  const stoppedAt = Date.now();
  server.kill('SIGSTOP');
  one.publish('said', 'lost');
  // Longer than it takes to give up the connection.
  await settled(3_200);
  one.publish('said', 'lost, too');
  server.kill('SIGCONT');
  await until(() => expect([one, two].map((redis) => redis.isAnswering())).toEqual([true, true]));
  one.publish('said', 'after');
  await until(() => expect(two.heard.at(-1)).toBe('after'));
  const gap = { since: expect.any(Date), isOurs: true };
  expect(two.heard.slice(0, 2)).toEqual(['before', gap]);
  for (const { heard } of [one, two]) {
    const gaps = heard.flatMap((each) => (typeof each === 'string' ? [] : [Object(each)]));
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
    if (n % 50 === 0) await settled(1);
  }
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  expect(one.passes()).toBeGreaterThan(1_100);
});

test('a killed Redis is bypassed at once and used again when it is back', async () => {
  const [one, two] = [await open(), await open()];
  await kill(server);
  await until(() => expect(one.isAnswering()).toBe(false));
  const { ms } = await timed(async () => {
    for (let n = 0; n < 1_000; n += 1) expect(await ask(one)).toBeUndefined();
  });
  expect(ms).toBeLessThan(AT_ONCE_MS);
  one.publish('said', 'lost');
  server = await processes.startRedis(port);
  await until(() => expect([one, two].map((redis) => redis.isAnswering())).toEqual([true, true]));
  expect(await ask(one)).toBe(42);
  one.publish('said', 'after');
  await until(() => expect(two.heard.at(-1)).toBe('after'));
  expect(two.heard).not.toContain('lost');
  expect(two.heard[0]).toEqual({ since: expect.any(Date), isOurs: true });
});

test('a process that starts without Redis serves soon and reports a gap when Redis appears', async () => {
  await kill(server);
  const late = createRedis(
    `redis://127.0.0.1:${port}`,
    createLogger({ level: 'silent', isPretty: false }),
    systemClock,
  );
  opened.push(late);
  const gaps = vi.fn();
  late.onGap(gaps);
  const { ms } = await timed(() => late.open());
  expect(ms).toBeLessThan(AT_ONCE_MS);
  expect(await late.ask(COUNT, 'x', ['1'])).toBeUndefined();
  server = await processes.startRedis(port);
  await until(() => expect(late.isAnswering()).toBe(true));
  expect(gaps).toHaveBeenCalledWith(expect.any(Date), true);
});
