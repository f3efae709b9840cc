/**
 * The webhook secret is part of the URL, because CCBill offers no other way. It must not appear in any log or response.
 */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type App, createApp } from '../../../app.ts';
import { createLogger } from '../../../platform/log.ts';
import { createTestApp, type TestApp } from '../../../testing/app.ts';
import { buildReversalFields, createProcessorId } from './testing.ts';

let test: TestApp;
let app: App;
let logged = '';
const write = (line: string) => {
  logged += line;
};

beforeAll(async () => {
  test = await createTestApp();
  const { payments } = test.ctx.config;
  const config = {
    ...test.ctx.config,
    payments: { ...payments, isSandbox: false, allowedAddresses: ['64.38.212.0/24'] },
  };
  const log = createLogger({ level: 'trace', isPretty: false }, { write });
  app = await createApp({ config, databaseUrl: test.databaseUrl, log, clock: test.clock, hasPages: false });
});
afterAll(async () => {
  await app.close();
  await test.close();
});

it.each([
  ['is accepted', {}, '', 200],
  ['comes from elsewhere', { remoteAddress: '203.0.113.9' }, '', 404],
  ['has no type that is known', { headers: { 'content-type': 'text/csv' } }, '', 415],
  ['is too large', { payload: 'x'.repeat(70_000) }, '', 413],
  ['has an address that goes on', {}, '/more', 415],
  ['has an address that cannot be read', {}, '%zz', 400],
] as const)('the webhook secret is not exposed when a request %s', async (_, change, more, status) => {
  const { webhookSecret } = test.ctx.config.payments;
  const answer = await app.http.inject({
    method: 'POST',
    url: `/api/webhook/ccbill/${webhookSecret}${more}?eventType=Refund`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(buildReversalFields(test, createProcessorId(), '1.00')).toString(),
    remoteAddress: '64.38.212.7',
    ...change,
  });
  expect(answer.statusCode).toBe(status);
  expect(logged).not.toContain(webhookSecret);
  expect(answer.body).not.toContain(webhookSecret);
});

it('the webhook secret is not exposed when storing the request fails, which is logged', async () => {
  const { webhookSecret } = test.ctx.config.payments;
  logged = '';
  const broken = vi.spyOn(app.ctx.db, 'transaction').mockRejectedValue(new Error('the disk is full'));
  const answer = await app.http.inject({
    method: 'POST',
    url: `/api/webhook/ccbill/${webhookSecret}?eventType=Refund`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(buildReversalFields(test, createProcessorId(), '1.00')).toString(),
    remoteAddress: '64.38.212.7',
  });
  broken.mockRestore();
  expect(answer.statusCode).toBe(500);
  expect(logged).toContain('the disk is full');
  expect(logged).toContain('/api/webhook/ccbill/:secret');
  expect(logged).not.toContain(webhookSecret);
});
