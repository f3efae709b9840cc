import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type App, createApp } from '../app.ts';
import { createTestApp, type TestApp } from '../testing/app.ts';
import { systemClock } from './clock.ts';
import { createClockCheck } from './clock-check.ts';
import type { Database } from './database/db.ts';
import type { Logger } from './log.ts';

const HOUR_MS = 60 * 60_000;

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

let aheadMs: number;
const clock = { now: () => new Date(systemClock.now().getTime() + aheadMs) };
const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
const createCheck = () => createClockCheck(clock, () => app.ctx.db, log as unknown as Logger);
beforeEach(() => {
  aheadMs = 0;
  vi.clearAllMocks();
});
afterEach(() => void vi.useRealTimers());

test.each([
  [0, 'no one', true],
  [1_000, 'no one', true],
  [-10_000, 'a warning', true],
  [29_000, 'a warning', true],
  [31_000, 'an error', false],
  [-3_600_000, 'an error', false],
])('a clock that is ahead by %i ms is reported to %s, and right: %s', async (offsetMs, report, isRight) => {
  aheadMs = offsetMs;
  const check = createCheck();
  await check.check();
  expect(Math.abs((check.getOffsetMs() ?? Number.NaN) - offsetMs)).toBeLessThan(900);
  expect([log.warn.mock.calls.length, log.error.mock.calls.length]).toEqual([
    report === 'a warning' ? 1 : 0,
    report === 'an error' ? 1 : 0,
  ]);
  if (isRight) expect(() => check.requireRightClock()).not.toThrow();
  else expect(() => check.requireRightClock()).toThrow('the clock differs');
});

test('is compared at the start and every hour, and sooner while it is wrong', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const run = vi.fn(async () => [{ ms: systemClock.now().getTime() }]);
  const check = createClockCheck(clock, () => ({ run: run as unknown as Database['run'] }), log as unknown as Logger);
  const countAfter = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms);
    return run.mock.calls.length;
  };
  await check.start();
  expect(run).toHaveBeenCalledTimes(1);
  aheadMs = 60_000;
  expect(await countAfter(HOUR_MS - 1)).toBe(1);
  expect(await countAfter(1)).toBe(2);
  expect(() => check.requireRightClock()).toThrow();
  aheadMs = 0;
  expect(await countAfter(30_000)).toBe(3);
  expect(() => check.requireRightClock()).not.toThrow();
  expect(log.info).toHaveBeenCalledOnce();
  check.stop();
  expect(await countAfter(2 * HOUR_MS)).toBe(3);
});

test('an unreachable database is not a wrong clock', async () => {
  const run = () => Promise.reject(new Error('connect ECONNREFUSED'));
  const check = createClockCheck(clock, () => ({ run }), log as unknown as Logger);
  await check.start();
  check.stop();
  expect(log.warn).toHaveBeenCalledOnce();
  expect(() => check.requireRightClock()).not.toThrow();
});

test('a process with a wrong clock is not ready, and is named in the list of processes', async () => {
  aheadMs = 45_000;
  const { config } = app.ctx;
  const node: App = await createApp({
    ...{ config: { ...config, role: 'worker' as const }, databaseUrl: app.databaseUrl, log: app.ctx.log },
    ...{ clock, isClockChecked: true, hasPages: false },
  });
  try {
    await node.start();
    const ready = await node.http.inject({ method: 'GET', url: '/readyz' });
    expect([ready.statusCode, ready.json()]).toEqual([503, { status: 'unavailable', failed: ['clock'], degraded: [] }]);
    expect((await node.http.inject({ method: 'GET', url: '/healthz' })).statusCode).toBe(200);
    const owner = await app.signUp('operator');
    const { processes } = (await owner.inject('GET', '/api/admin/system')).json();
    expect(processes).toMatchObject([{ id: node.ctx.processRegistry.id, clockOffsetMs: expect.closeTo(45_000, -3) }]);
  } finally {
    await node.close();
  }
});
