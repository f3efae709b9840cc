import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type App, createApp } from '../app.ts';
import { systemClock } from '../platform/clock.ts';
import { readConfig } from '../platform/config.ts';
import { defineJob } from '../platform/jobs/jobs.ts';
import { createLogger } from '../platform/log.ts';
import { createTestDatabase } from './database.ts';
import { createProcesses, findFreePort } from './processes.ts';
import { createGate } from './relays.ts';

const SLOW_JOB = defineJob('test.slow', z.object({}));
const soon = { timeout: 15_000, interval: 10 };
const processes = createProcesses();
const apps: App[] = [];
let folder: string;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let redisUrl: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'stagedoor-draining-'));
  database = await createTestDatabase();
  const port = await findFreePort();
  await processes.startRedis(port);
  redisUrl = `redis://127.0.0.1:${port}`;
});
afterAll(async () => {
  for (const app of apps) await app.close();
  await processes.endAll();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

async function open(name: string): Promise<App> {
  const config = readConfig({
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    DATABASE_POOL: '12',
    DATABASE_URL: database.url,
    DATA_DIR: path.join(folder, name),
    REDIS_URL: redisUrl,
  });
  const log = createLogger({ level: config.logLevel, isPretty: false });
  return createApp({ config, databaseUrl: database.url, log, clock: systemClock, hasPages: false });
}

test('a draining process relays no more events, another process continues, and its running job still finishes', async () => {
  const first = await open('first');
  const second = await open('second');
  apps.push(second);
  const deliveries: string[] = [];
  for (const [name, { ctx }] of Object.entries({ first, second })) {
    const record = ({ payload }: { payload: { number: number } }) => void deliveries.push(`${name} ${payload.number}`);
    ctx.events.addBroadcastHandler('test.happened', 'say', ({ subject }) => subject, record);
  }
  const doneMessages: unknown[] = [];
  second.ctx.redis?.on('test.done', (payload) => doneMessages.push(payload));
  const started = createGate();
  const finish = createGate();
  let isClosed = false;
  first.ctx.jobs.define(
    SLOW_JOB,
    async () => {
      started.open();
      await finish.wait;
      first.ctx.redis?.publish('test.done', 'by the first');
    },
    'test.slow',
  );
  const emit = (number: number) =>
    second.ctx.db.transaction((tx) => tx.emit('test.happened', { number, subject: 'one' }));

  await first.start();
  await emit(1);
  await expect.poll(() => deliveries, soon).toEqual(['first 1']);
  await first.ctx.db.transaction((tx) => first.ctx.jobs.add(tx, SLOW_JOB, {}));
  await started.wait;
  await second.start();

  const closing = first.close().then(() => {
    isClosed = true;
  });
  for (const number of [2, 3]) {
    await emit(number);
    await expect.poll(() => deliveries, { ...soon, timeout: 30_000 }).toContain(`second ${number}`);
  }
  expect(isClosed).toBe(false);
  finish.open();
  await closing;
  await expect.poll(() => doneMessages, soon).toEqual(['by the first']);
  expect(deliveries).toEqual(['first 1', 'second 2', 'second 3']);
});
