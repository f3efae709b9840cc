import type { ChildProcess } from 'node:child_process';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { CHAT_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createTestApp, type TestApp } from '../../../../testing/app.ts';
import { createProcesses, findFreePort, killProcess } from '../../../../testing/processes.ts';
import { countSentMessage } from './send-limits.ts';

const LIMIT = CHAT_LIMITS.perTenSeconds;
const processes = createProcesses();
let redis: ChildProcess;
let port = 0;
let servers: TestApp[] = [];

beforeAll(async () => {
  port = await findFreePort();
  redis = await processes.startRedis(port);
  const env = { REDIS_URL: `redis://127.0.0.1:${port}`, RATE_LIMIT_FACTOR: '1' };
  servers = [await createTestApp({ env }), await createTestApp({ env })];
});
afterAll(async () => {
  for (const server of servers) await server.close();
  await processes.endAll();
});

async function countAllowed(apps: readonly TestApp[], userId: string, count: number): Promise<number> {
  let allowed = 0;
  for (let n = 0; n < count; n += 1) {
    const app = apps[n % apps.length];
    if (!app) continue;
    try {
      await countSentMessage(app.ctx, userId);
      allowed += 1;
    } catch (error) {
      expect(error).toBeInstanceOf(AppError);
      expect(error).toMatchObject({ code: 'RATE_LIMITED', data: { retryAfterSeconds: expect.any(Number) } });
    }
  }
  return allowed;
}

it('one process limits the last ten seconds and the last minute and returns how long to wait', async () => {
  const app = await createTestApp({ env: { RATE_LIMIT_FACTOR: '1' } });
  expect(await countAllowed([app], 'ann', LIMIT + 5)).toBe(LIMIT);
  app.clock.advance(4_000);
  await expect(countSentMessage(app.ctx, 'ann')).rejects.toMatchObject({ data: { retryAfterSeconds: 6 } });
  expect(await countAllowed([app], 'ben', 1)).toBe(1);
  app.clock.advance(6_000);
  expect(await countAllowed([app], 'ann', LIMIT + 5)).toBe(LIMIT);
  app.clock.advance(10_000);
  expect(await countAllowed([app], 'ann', LIMIT + 5)).toBe(LIMIT);
  app.clock.advance(10_000);
  expect(await countAllowed([app], 'ann', 5)).toBe(0);
  await expect(countSentMessage(app.ctx, 'ann')).rejects.toMatchObject({ data: { retryAfterSeconds: 30 } });
  app.clock.advance(30_000);
  expect(await countAllowed([app], 'ann', 5)).toBe(5);
  await app.close();
});

it('two processes with Redis share one limit', async () => {
  const shared = (apps: readonly TestApp[], count: number, allowed: number) =>
    vi.waitFor(async () => expect(await countAllowed(apps, `try ${Math.random()}`, count)).toBe(allowed), {
      timeout: 30_000,
    });
  await shared(servers, 2 * LIMIT, LIMIT);
  await shared([...servers, ...servers], 3 * LIMIT, LIMIT);
  await shared(servers, LIMIT - 1, LIMIT - 1);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 3 * LIMIT }, (_, n) =>
      countSentMessage((servers[n % 2] ?? servers[0])?.ctx ?? failOnMissingServer(), 'cleo'),
    ),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(LIMIT);
  let acceptedCount = 0;
  for (let n = 0; n < 70; n += 1) {
    const { statusCode } = await (servers[n % 2] ?? failOnMissingServer()).app.http.inject({
      method: 'POST',
      url: '/api/auth/forgot-password',
      payload: { email: 'nobody@example.com' },
      remoteAddress: '203.0.113.77',
    });
    if (statusCode === 200) acceptedCount += 1;
    else expect(statusCode).toBe(429);
  }
  // Each process may let five percent more through.
  expect(acceptedCount).toBeLessThanOrEqual(66);
});

it('without Redis each process counts for itself, and users can still write', async () => {
  await killProcess(redis);
  expect(await countAllowed(servers, 'dan', 4 * LIMIT)).toBe(2 * LIMIT);
  redis = await processes.startRedis(port);
  await vi.waitFor(async () => expect(await countAllowed(servers, `back ${Math.random()}`, 2 * LIMIT)).toBe(LIMIT), {
    timeout: 30_000,
    interval: 200,
  });
});

function failOnMissingServer(): never {
  throw new Error('expected two servers');
}
