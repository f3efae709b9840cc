import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type App, createApp } from '../app.ts';
import { systemClock } from '../kernel/clock.ts';
import { readConfig } from '../kernel/config.ts';
import { job } from '../kernel/jobs.ts';
import { createLogger } from '../kernel/log.ts';
import { testDatabase } from './database.ts';
import { createProcesses, freePort } from './processes.ts';
import { gate } from './relays.ts';

const HELD = job('test.held', z.object({}));
const soon = { timeout: 15_000, interval: 10 };
const processes = createProcesses();
const apps: App[] = [];
let folder: string;
let database: Awaited<ReturnType<typeof testDatabase>>;
let redisUrl: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'stagedoor-draining-'));
  database = await testDatabase();
  const port = await freePort();
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
  const told: string[] = [];
  for (const [name, { ctx }] of Object.entries({ first, second })) {
    const say = ({ payload }: { payload: { number: number } }) => void told.push(`${name} ${payload.number}`);
    ctx.events.tell('test.happened', 'say', ({ subject }) => subject, say);
  }
  const heard: unknown[] = [];
  second.ctx.redis?.on('test.done', (payload) => heard.push(payload));
  const begun = gate();
  const held = gate();
  let isClosed = false;
  first.ctx.jobs.define(
    HELD,
    async () => {
      begun.open();
      await held.wait;
      first.ctx.redis?.publish('test.done', 'by the first');
    },
    'test.held',
  );
  const emit = (number: number) =>
    second.ctx.db.transaction((tx) => tx.emit('test.happened', { number, subject: 'one' }));

  await first.start();
  await emit(1);
  await expect.poll(() => told, soon).toEqual(['first 1']);
  await first.ctx.db.transaction((tx) => first.ctx.jobs.add(tx, HELD, {}));
  await begun.wait;
  await second.start();

  const closing = first.close().then(() => {
    isClosed = true;
  });
  for (const number of [2, 3]) {
    await emit(number);
    await expect.poll(() => told, { ...soon, timeout: 30_000 }).toContain(`second ${number}`);
  }
  expect(isClosed).toBe(false);
  held.open();
  await closing;
  await expect.poll(() => heard, soon).toEqual(['by the first']);
  expect(told).toEqual(['first 1', 'second 2', 'second 3']);
});
