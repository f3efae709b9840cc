import { randomUUID } from 'node:crypto';
import type { LiveState } from '@stagedoor/contract/state-desk.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type App, createApp } from '../../app.ts';
import { job } from '../../kernel/jobs.ts';
import { plainError } from '../../kernel/jobs-state.ts';
import { createTestApp, type TestApp, type TestUser } from '../../testing/app.ts';
import { paidDeposit } from '../payments/testing.ts';

const failing = job('state.testing', z.object({ words: z.string() }));
let app: TestApp;
let other: App;
let owner: TestUser;
let isWell = false;
let ran = 0;

beforeAll(async () => {
  app = await createTestApp({ env: { TURN_URLS: 'turn:relay.example', TURN_SECRET: 'a secret of the relay' } });
  app.ctx.jobs.define(failing, async ({ words }) => {
    ran += 1;
    if (!isWell) throw new Error(words);
  });
  app.app.http.get('/api/testing/broken/:id', () => {
    throw new Error('a bug with somebody@example.com in it');
  });
  const config = { ...app.ctx.config, role: 'worker' as const };
  other = await createApp({ config, databaseUrl: app.databaseUrl, log: app.ctx.log, hasPages: false });
  owner = await app.signUp('operator');
});
afterAll(async () => {
  await other.close();
  await app.close();
});

async function state(who: TestUser = owner): Promise<LiveState> {
  const answer = await who.inject('GET', '/api/admin/state');
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}

test('server errors are counted by route and code, with the reference shown in the response', async () => {
  expect((await state()).faults).toEqual([]);
  const asked = [randomUUID(), randomUUID(), 'somebody.by.name'];
  const references: string[] = [];
  for (const id of asked) {
    const answer = await app.inject('GET', `/api/testing/broken/${id}`);
    expect(answer.statusCode).toBe(500);
    references.unshift(answer.json().requestId);
  }
  await app.inject('GET', '/api/testing/nothing');
  await app.app.http.faults.flush();
  const now = await state();
  expect(now.faults).toEqual([
    { route: 'GET /api/testing/broken/:id', code: 'INTERNAL', count: 3, lastAt: expect.any(String), references },
  ]);
  expect(JSON.stringify(now)).not.toMatch(/somebody/);
  app.clock.advance(60 * 60_000);
  const again = (await app.inject('GET', '/api/testing/broken/1')).json().requestId;
  await app.app.http.faults.flush();
  expect((await state()).faults).toMatchObject([{ count: 4, references: [again, ...references] }]);
  app.clock.advance(25 * 60 * 60_000);
  expect((await state()).faults).toEqual([]);
});

test('a failed job shows its error without personal data, and an owner can retry it', async () => {
  const words = 'mail could not be sent: EENVELOPE 550 to "ana@example.com" (Ana Lopes) at 10.1.2.3';
  await app.ctx.db.transaction((tx) => app.ctx.jobs.add(tx, failing, { words }, { maxAttempts: 1 }));
  await app.ctx.jobs.runDue([failing.name]);
  // The failure is recorded shortly after the job has failed.
  const ofKind = async () => (await state()).jobs?.kinds.find(({ task }) => task === failing.name);
  await expect.poll(ofKind).toMatchObject({ due: 0, running: 0, failed: 1 });
  const { jobs } = await state();
  const failure = jobs?.failures.find(({ task }) => task === failing.name);
  expect(failure).toMatchObject({ attempts: 1, maxAttempts: 1, nextAt: null });
  expect(failure?.error).toBe('mail could not be sent: EENVELOPE 550 to … at …');

  isWell = true;
  const retry = (who: TestUser, id = failure?.id) => who.inject('POST', `/api/admin/state/jobs/${id}/retry`);
  for (const role of ['auditor', 'support', 'finance'] as const)
    expect((await retry(await app.signUp('operator', { roles: [role] }))).statusCode).toBe(403);
  expect((await retry(owner)).json()).toEqual({ task: failing.name });
  await app.ctx.jobs.runDue([failing.name]);
  expect(ran).toBe(2);
  await expect.poll(ofKind).toBeUndefined();
  expect((await retry(owner)).statusCode).toBe(404);
  const acts = await app.owner.pool.query("select act, subject_id, facts from audit_log where act = 'job.retry'");
  expect(acts.rows).toEqual([{ act: 'job.retry', subject_id: failure?.id, facts: { task: failing.name } }]);
});

test.each([
  [
    'duplicate key value violates unique constraint "users_email_key"',
    'duplicate key value violates unique constraint …',
  ],
  ['connect ECONNREFUSED 10.0.0.1:5432', 'connect ECONNREFUSED …'],
  ['Mirele Okafor owes 12.50', '… owes …'],
  ['TypeError: Cannot read properties of undefined', 'TypeError: … read properties of undefined'],
])('the error %s is shown as %s', (text, told) => expect(plainError(text)).toBe(told));

test('the status shows recent payments, dependencies, the relay and running processes', async () => {
  const fan = await app.signUp('customer');
  await paidDeposit(app, fan, 40);
  const now = await state();
  expect(now.payments).toMatchObject({ isSandbox: true, deposits: 1, deposited: 40, quarantined: 0 });
  expect(now.payments.webhooks).toBeGreaterThan(0);
  expect(now.parts).toEqual([
    { name: 'database', is: 'up' },
    { name: 'storage', is: 'up' },
    { name: 'redis', is: 'off' },
  ]);
  expect(now.calls).toEqual({ open: 0, running: 0, provider: 'webrtc', hasRelay: true, isRelayOnly: true });
  expect(now.media.diskFreeBytes).toBeGreaterThan(0);
  expect(now.nodes).toEqual([]);
  await other.start();
  expect((await state()).nodes).toEqual([
    {
      ...{ id: other.ctx.node.id, isThis: false, role: 'worker', version: expect.stringMatching(/^\d+\.\d+/) },
      ...{ startedAt: expect.any(String), memoryBytes: expect.any(Number) },
    },
  ]);
});

test('support sees the parts that help users, auditors see everything, moderators and finance nothing', async () => {
  const [support, auditor] = await Promise.all([
    app.signUp('operator', { roles: ['support'] }),
    app.signUp('operator', { roles: ['auditor'] }),
  ]);
  expect(await state(support)).toMatchObject({ jobs: null, nodes: null, mail: { way: 'mailbox' } });
  expect((await state(auditor)).jobs).not.toBeNull();
  for (const role of ['moderator', 'finance'] as const) {
    const answer = await (await app.signUp('operator', { roles: [role] })).inject('GET', '/api/admin/state');
    expect(answer.statusCode).toBe(403);
  }
  expect((await (await app.signUp('creator')).inject('GET', '/api/admin/state')).statusCode).toBe(403);
});
