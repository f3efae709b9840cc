import { randomUUID } from 'node:crypto';
import type { SystemStatus } from '@stagedoor/contract/admin/system-status.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type App, createApp } from '../../../app.ts';
import { defineJob } from '../../../platform/jobs/jobs.ts';
import { redactError } from '../../../platform/jobs/jobs-status.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { createPaidDeposit } from '../../commerce/deposits/testing.ts';

const failing = defineJob('state.testing', z.object({ text: z.string() }));
let app: TestApp;
let other: App;
let owner: TestUser;
let shouldSucceed = false;
let runCount = 0;

beforeAll(async () => {
  app = await createTestApp({ env: { TURN_URLS: 'turn:relay.example', TURN_SECRET: 'a secret of the relay' } });
  app.ctx.jobs.define(failing, async ({ text }) => {
    runCount += 1;
    if (!shouldSucceed) throw new Error(text);
  });
  app.app.http.get('/api/testing/broken/:id', () => {
    throw new Error('a bug with private@example.com in it');
  });
  const config = { ...app.ctx.config, role: 'worker' as const };
  other = await createApp({ config, databaseUrl: app.databaseUrl, log: app.ctx.log, hasPages: false });
  owner = await app.signUp('operator');
});
afterAll(async () => {
  await other.close();
  await app.close();
});

async function getStatus(user: TestUser = owner): Promise<SystemStatus> {
  const response = await user.inject('GET', '/api/admin/system');
  expect(response.statusCode, response.body).toBe(200);
  return response.json();
}

test('server errors are counted by route and code, with the reference shown in the response', async () => {
  expect((await getStatus()).errorStats).toEqual([]);
  const ids = [randomUUID(), randomUUID(), 'private.by.name'];
  const references: string[] = [];
  for (const id of ids) {
    const response = await app.inject('GET', `/api/testing/broken/${id}`);
    expect(response.statusCode).toBe(500);
    references.unshift(response.json().requestId);
  }
  await app.inject('GET', '/api/testing/nothing');
  await app.app.http.errorStats.flush();
  const systemStatus = await getStatus();
  expect(systemStatus.errorStats).toEqual([
    { route: 'GET /api/testing/broken/:id', code: 'INTERNAL', count: 3, lastAt: expect.any(String), references },
  ]);
  expect(JSON.stringify(systemStatus)).not.toMatch(/private/);
  app.clock.advance(60 * 60_000);
  const latestReference = (await app.inject('GET', '/api/testing/broken/1')).json().requestId;
  await app.app.http.errorStats.flush();
  expect((await getStatus()).errorStats).toMatchObject([{ count: 4, references: [latestReference, ...references] }]);
  app.clock.advance(25 * 60 * 60_000);
  expect((await getStatus()).errorStats).toEqual([]);
});

test('a failed job shows its error without personal data, and an owner can retry it', async () => {
  const text = 'mail could not be sent: EENVELOPE 550 to "ana@example.com" (Ana Lopes) at 10.1.2.3';
  await app.ctx.db.transaction((tx) => app.ctx.jobs.add(tx, failing, { text }, { maxAttempts: 1 }));
  await app.ctx.jobs.runDue([failing.name]);
  // The failure is recorded shortly after the job has failed.
  const findJobKind = async () => (await getStatus()).jobs?.kinds.find(({ task }) => task === failing.name);
  await expect.poll(findJobKind).toMatchObject({ due: 0, running: 0, failed: 1 });
  const { jobs } = await getStatus();
  const failure = jobs?.failures.find(({ task }) => task === failing.name);
  expect(failure).toMatchObject({ attempts: 1, maxAttempts: 1, nextAt: null });
  expect(failure?.error).toBe('mail could not be sent: EENVELOPE 550 to … at …');

  shouldSucceed = true;
  const retry = (user: TestUser, id = failure?.id) => user.inject('POST', `/api/admin/system/jobs/${id}/retry`);
  for (const role of ['auditor', 'support', 'finance'] as const)
    expect((await retry(await app.signUp('operator', { roles: [role] }))).statusCode).toBe(403);
  expect((await retry(owner)).json()).toEqual({ task: failing.name });
  await app.ctx.jobs.runDue([failing.name]);
  expect(runCount).toBe(2);
  await expect.poll(findJobKind).toBeUndefined();
  expect((await retry(owner)).statusCode).toBe(404);
  const actions = await app.owner.pool.query(
    "select action, subject_id, details from audit_log where action = 'job.retry'",
  );
  expect(actions.rows).toEqual([{ action: 'job.retry', subject_id: failure?.id, details: { task: failing.name } }]);
});

test.each([
  [
    'duplicate key value violates unique constraint "users_email_key"',
    'duplicate key value violates unique constraint …',
  ],
  ['connect ECONNREFUSED 10.0.0.1:5432', 'connect ECONNREFUSED …'],
  ['Mirele Okafor owes 12.50', '… owes …'],
  ['TypeError: Cannot read properties of undefined', 'TypeError: … read properties of undefined'],
])('the error %s is shown as %s', (text, shown) => expect(redactError(text)).toBe(shown));

test('the status shows recent payments, dependencies, the relay and running processes', async () => {
  const fan = await app.signUp('customer');
  await createPaidDeposit(app, fan, 40);
  const systemStatus = await getStatus();
  expect(systemStatus.payments).toMatchObject({ isSandbox: true, deposits: 1, deposited: 40, quarantined: 0 });
  expect(systemStatus.payments.webhooks).toBeGreaterThan(0);
  expect(systemStatus.services).toEqual([
    { name: 'database', status: 'up' },
    { name: 'storage', status: 'up' },
    { name: 'redis', status: 'off' },
  ]);
  expect(systemStatus.calls).toEqual({ open: 0, running: 0, provider: 'webrtc', hasRelay: true, isRelayOnly: true });
  expect(systemStatus.media.diskFreeBytes).toBeGreaterThan(0);
  expect(systemStatus.processes).toEqual([]);
  await other.start();
  expect((await getStatus()).processes).toEqual([
    {
      ...{
        id: other.ctx.processRegistry.id,
        isCurrent: false,
        role: 'worker',
        version: expect.stringMatching(/^\d+\.\d+/),
      },
      ...{ startedAt: expect.any(String), memoryBytes: expect.any(Number), clockOffsetMs: expect.any(Number) },
    },
  ]);
});

test('support sees the parts that help users, auditors see everything, moderators and finance nothing', async () => {
  const [support, auditor] = await Promise.all([
    app.signUp('operator', { roles: ['support'] }),
    app.signUp('operator', { roles: ['auditor'] }),
  ]);
  expect(await getStatus(support)).toMatchObject({ jobs: null, processes: null, mail: { transport: 'mailbox' } });
  expect((await getStatus(auditor)).jobs).not.toBeNull();
  for (const role of ['moderator', 'finance'] as const) {
    const response = await (await app.signUp('operator', { roles: [role] })).inject('GET', '/api/admin/system');
    expect(response.statusCode).toBe(403);
  }
  expect((await (await app.signUp('creator')).inject('GET', '/api/admin/system')).statusCode).toBe(403);
});
