/** Runs on a PostgreSQL of its own, because it stops all of its processes. */
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type App, createApp } from '../../app.ts';
import { createTestAccount } from '../../modules/identity/accounts/testing.ts';
import { OWNED_SCHEMAS } from '../../modules/index.ts';
import { signalIfRunning } from '../../testing/processes.ts';
import { readConfig } from '../config.ts';
import { migrateDatabase } from '../database/migrate.ts';
import { createLogger } from '../log.ts';
import { type EmbeddedPostgres, startPostgres } from '../postgres/postgres.ts';
import { listChildren } from '../postgres/process-lock.ts';
import { createHealthCheck } from './health.ts';

const log = createLogger({ level: 'silent', isPretty: false });
let folder: string;
let postgres: EmbeddedPostgres;
let app: App;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stagedoor-probe-'));
  postgres = await startPostgres({ dataDir: join(folder, 'postgres'), log, durable: false });
  await migrateDatabase(postgres.ownerUrl, { product: { url: postgres.url, schemas: OWNED_SCHEMAS } });
  const config = readConfig({ NODE_ENV: 'test', DATA_DIR: folder, DATABASE_URL: postgres.url, DATABASE_POOL: '12' });
  app = await createApp({ config, databaseUrl: postgres.url, log, hasPages: false });
});

function listPostgresPids(): number[] {
  const pid = Number.parseInt(readFileSync(join(folder, 'postgres/cluster/postmaster.pid'), 'utf8'), 10);
  return [pid, ...listChildren(pid)];
}

function signalAll(signal: NodeJS.Signals): void {
  for (const pid of listPostgresPids()) signalIfRunning(pid, signal);
}

afterAll(async () => {
  await app.close();
  await postgres.stop();
  const cluster = realpathSync(join(folder, 'postgres/cluster'));
  for (const path of [cluster, folder]) rmSync(path, { recursive: true, force: true });
});

async function request(url: string, cookie: string): Promise<{ status: number; ms: number; body: unknown }> {
  const began = performance.now();
  const answer = await app.http.inject({ method: 'GET', url, headers: { cookie } });
  return { status: answer.statusCode, ms: performance.now() - began, body: answer.json() };
}

test('/readyz returns 503 in time while PostgreSQL hangs and 200 afterwards, for any number of callers', async () => {
  const { cookie } = await createTestAccount(app.ctx, 'customer');
  expect(await request('/readyz', cookie)).toMatchObject({ status: 200, body: { status: 'ready', failed: [] } });
  signalAll('SIGSTOP');
  for (let round = 0; round < 2; round += 1) {
    const responses = await Promise.all(Array.from({ length: 30 }, () => request('/readyz', cookie)));
    for (const { status, ms, body } of responses) {
      expect(status).toBe(503);
      expect(body).toEqual({ status: 'unavailable', failed: ['database'], degraded: [] });
      expect(ms).toBeLessThan(20_000);
    }
    expect(app.ctx.db.pool.totalCount, 'watchers take no connections from the people').toBeLessThan(4);
  }
  expect((await request('/healthz', cookie)).status).toBe(200);
  signalAll('SIGCONT');
  await expect.poll(async () => (await request('/readyz', cookie)).status, { timeout: 30_000 }).toBe(200);
});

test('a call returns 503 with retry-after while the database is gone', async () => {
  const { cookie } = await createTestAccount(app.ctx, 'customer');
  expect((await request('/api/customer/wallet', cookie)).status).toBe(200);
  await postgres.stop();
  for (const url of ['/api/customer/wallet', '/api/public/creators']) {
    const answer = await app.http.inject({ method: 'GET', url, headers: { cookie } });
    expect([answer.statusCode, answer.headers['retry-after'], answer.json().code], url).toEqual([
      503,
      '5',
      'UNAVAILABLE',
    ]);
  }
});

test('a failed check runs again on the next call', async () => {
  let calls = 0;
  const runCheck = createHealthCheck(async () => {
    calls += 1;
    if (calls === 1) throw new Error('no');
  });
  await expect(Promise.all([runCheck(), runCheck()])).rejects.toThrow('no');
  expect(calls).toBe(1);
  await runCheck();
  expect(calls).toBe(2);
});
