import { afterAll, beforeAll, expect, it } from 'vitest';
import { type App, createApp } from '../../../app.ts';
import { createTestApp, type TestApp } from '../../../testing/app.ts';
import { createProcesses, findFreePort } from '../../../testing/processes.ts';
import { addOnlineDevice, getPresence } from './index.ts';

const processes = createProcesses();
let web: TestApp;
let worker: App;

beforeAll(async () => {
  const port = await findFreePort();
  await processes.startRedis(port);
  web = await createTestApp({ env: { REDIS_URL: `redis://127.0.0.1:${port}` } });
  const config = { ...web.ctx.config, role: 'worker' as const };
  const { databaseUrl, clock } = web;
  worker = await createApp({ config, databaseUrl, log: web.ctx.log, clock, hasPages: false });
  await worker.start();
  await web.app.start();
});
afterAll(async () => {
  await worker.close();
  await web.close();
  await processes.endAll();
});

it('a worker learns who comes online', async () => {
  const fan = await web.signUp('customer');
  expect(getPresence(worker.ctx, fan.id)).toBe('offline');
  addOnlineDevice(web.ctx, fan.id, 'customer', 'a phone');
  await expect.poll(() => getPresence(worker.ctx, fan.id), { timeout: 30_000 }).toBe('online');
});
