import type { ChildProcess } from 'node:child_process';
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { CHAT_LIMITS } from '@stagedoor/contract/atoms/room-limits.ts';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createTestApp, type TestApp } from '../../../testing/app.ts';
import { createProcesses, freePort, kill } from '../../../testing/processes.ts';
import { countSending } from './flood.ts';

const LIMIT = CHAT_LIMITS.inTenSeconds;
const processes = createProcesses();
let redis: ChildProcess;
let port = 0;
let nodes: TestApp[] = [];

beforeAll(async () => {
  port = await freePort();
  redis = await processes.startRedis(port);
  const env = { REDIS_URL: `redis://127.0.0.1:${port}`, RATE_LIMIT_FACTOR: '1' };
  nodes = [await createTestApp({ env }), await createTestApp({ env })];
});
afterAll(async () => {
  for (const node of nodes) await node.close();
  await processes.endAll();
});

async function passed(apps: readonly TestApp[], userId: string, count: number): Promise<number> {
  let through = 0;
  for (let n = 0; n < count; n += 1) {
    const app = apps[n % apps.length];
    if (!app) continue;
    try {
      await countSending(app.ctx, userId);
      through += 1;
    } catch (error) {
      expect(error).toBeInstanceOf(AppError);
      expect(error).toMatchObject({ code: 'RATE_LIMITED', data: { retryAfterSeconds: expect.any(Number) } });
    }
  }
  return through;
}

it('one process limits the last ten seconds and the last minute and returns how long to wait', async () => {
  const app = await createTestApp({ env: { RATE_LIMIT_FACTOR: '1' } });
  expect(await passed([app], 'ann', LIMIT + 5)).toBe(LIMIT);
  app.clock.advance(4_000);
  await expect(countSending(app.ctx, 'ann')).rejects.toMatchObject({ data: { retryAfterSeconds: 6 } });
  expect(await passed([app], 'ben', 1)).toBe(1);
  app.clock.advance(6_000);
  expect(await passed([app], 'ann', LIMIT + 5)).toBe(LIMIT);
  app.clock.advance(10_000);
  expect(await passed([app], 'ann', LIMIT + 5)).toBe(LIMIT);
  app.clock.advance(10_000);
  expect(await passed([app], 'ann', 5)).toBe(0);
  await expect(countSending(app.ctx, 'ann')).rejects.toMatchObject({ data: { retryAfterSeconds: 30 } });
  app.clock.advance(30_000);
  expect(await passed([app], 'ann', 5)).toBe(5);
  await app.close();
});

it('two processes with Redis share one limit', async () => {
  const shared = (apps: readonly TestApp[], count: number, through: number) =>
    vi.waitFor(async () => expect(await passed(apps, `try ${Math.random()}`, count)).toBe(through), {
      timeout: 30_000,
    });
  await shared(nodes, 2 * LIMIT, LIMIT);
  await shared([...nodes, ...nodes], 3 * LIMIT, LIMIT);
  await shared(nodes, LIMIT - 1, LIMIT - 1);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 3 * LIMIT }, (_, n) => countSending((nodes[n % 2] ?? nodes[0])?.ctx ?? never(), 'cleo')),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(LIMIT);
  let answered = 0;
  for (let n = 0; n < 70; n += 1) {
    const { statusCode } = await (nodes[n % 2] ?? never()).app.http.inject({
      method: 'POST',
      url: '/api/auth/forgot-password',
      payload: { email: 'nobody@example.com' },
      remoteAddress: '203.0.113.77',
    });
    if (statusCode === 200) answered += 1;
    else expect(statusCode).toBe(429);
  }
  // Each process may let five percent more through.
  expect(answered).toBeLessThanOrEqual(66);
});

it('without Redis each process counts for itself, and users can still write', async () => {
  await kill(redis);
  expect(await passed(nodes, 'dan', 4 * LIMIT)).toBe(2 * LIMIT);
  redis = await processes.startRedis(port);
  await vi.waitFor(async () => expect(await passed(nodes, `back ${Math.random()}`, 2 * LIMIT)).toBe(LIMIT), {
    timeout: 30_000,
    interval: 200,
  });
});

function never(): never {
  throw new Error('two nodes are there');
}
