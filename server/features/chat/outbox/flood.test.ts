/** The limits on sending: in one process, over two that share a real Redis, and while that Redis is away. */
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

/** How many of so many messages of one account are let through, taken by turns by the processes. */
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

it('one process counts the last ten seconds and the last minute, and says how long to wait', async () => {
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
  // Sixty in a minute are enough, however they are spread.
  expect(await passed([app], 'ann', 5)).toBe(0);
  await expect(countSending(app.ctx, 'ann')).rejects.toMatchObject({ data: { retryAfterSeconds: 30 } });
  app.clock.advance(30_000);
  expect(await passed([app], 'ann', 5)).toBe(5);
  await app.close();
});

it('two processes with a Redis let as many through as one', async () => {
  // Until both are connected, and on a machine that is busy now and then.
  const shared = (apps: readonly TestApp[], count: number, through: number) =>
    vi.waitFor(async () => expect(await passed(apps, `try ${Math.random()}`, count)).toBe(through), {
      timeout: 30_000,
    });
  await shared(nodes, 2 * LIMIT, LIMIT);
  await shared([...nodes, ...nodes], 3 * LIMIT, LIMIT);
  await shared(nodes, LIMIT - 1, LIMIT - 1);
  // At the same moment, too.
  const outcomes = await Promise.allSettled(
    Array.from({ length: 3 * LIMIT }, (_, n) => countSending((nodes[n % 2] ?? nodes[0])?.ctx ?? never(), 'cleo')),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(LIMIT);
  // And of what is asked over HTTP: sixty a minute of one network, for a link by mail.
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
  // A process may let a twentieth through beyond it.
  expect(answered).toBeLessThanOrEqual(66);
});

it('while the Redis is away each process counts for itself, and nobody is kept from writing', async () => {
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
