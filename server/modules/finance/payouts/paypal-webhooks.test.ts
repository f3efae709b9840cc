import { randomUUID } from 'node:crypto';
import type { PayoutDetails } from '@stagedoor/contract/finance/payouts.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { defineJob } from '../../../platform/jobs/jobs.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { getBalance } from '../../ledger/ledger/index.ts';
import { startPayPal, WEBHOOK_ID } from './paypal.testing.ts';
import { isCertificateUrl } from './paypal.ts';
import { createPayee, createPayoutMethod, expectCleanLedger, requestPayoutAs } from './testing.ts';

const PAYPAL: PayoutDetails = { kind: 'paypal', email: 'jane@example.com' };

let app: TestApp;
let env: Record<string, string>;
let service: Awaited<ReturnType<typeof startPayPal>>;
let operator: TestUser;
beforeAll(async () => {
  service = await startPayPal();
  const paypal = { PAYPAL_URL: service.url, PAYPAL_CLIENT_ID: 'client', PAYPAL_CLIENT_SECRET: 'secret' };
  env = { ...paypal, PAYPAL_WEBHOOK_ID: WEBHOOK_ID };
  app = await createTestApp({ env });
});
afterEach(async () => {
  await app.ctx.events.waitUntilIdle();
  await expectCleanLedger(app);
});
afterAll(async () => {
  await app.close();
  await service.close();
});

async function createBatch(testApp: TestApp, sums: readonly number[]) {
  const requests = [];
  for (const usd of sums) {
    const creator = await createPayee(testApp, usd * 100);
    const method = await createPayoutMethod(testApp, creator, PAYPAL);
    requests.push({ creator, id: (await requestPayoutAs(creator, usd, method.id)).json<{ id: string }>().id });
  }
  const by = await testApp.signUp('operator');
  const callAdmin = (path: string, body: object) =>
    by.inject('POST', `/api/admin/${path}`, body, { 'idempotency-key': randomUUID() });
  for (const { id } of requests)
    await callAdmin(`payouts/${id}/decision`, { decision: 'approve', reason: 'looked at it' });
  await callAdmin('payout-batches', { rail: 'paypal' });
  return { requests, by };
}
async function createSent(...sums: number[]) {
  const { requests, by } = await createBatch(app, sums);
  operator = by;
  await app.ctx.jobs.runDue(['payouts.submit']);
  return requests;
}
type SignedWebhook = ReturnType<typeof service.createWebhook>;
const postTo = (to: TestApp, { body, headers }: SignedWebhook) =>
  to.app.http.inject({ method: 'POST', url: '/api/webhook/paypal', payload: body, headers });
const deliver = async (one: SignedWebhook) => {
  const answer = await postTo(app, one);
  await app.ctx.jobs.runDue(['payouts.processWebhook']);
  return answer.statusCode;
};
const toItem = (id: string) => {
  for (const batch of service.batches)
    for (const item of batch.items)
      if (item.payout_item.sender_item_id === id) return { ...item, payout_batch_id: batch.ref };
  throw new Error(`no batch contains ${id}`);
};
const createEvent = (id: string, event: string) => service.createWebhook(`PAYMENT.PAYOUTS-ITEM.${event}`, toItem(id));
const seen = async ({ creator, id }: { creator: TestUser; id: string }) =>
  (await creator.inject('GET', `/api/creator/payouts/${id}`)).json();
const findStored = async ({ body }: SignedWebhook) =>
  (await app.owner.query.selectFrom('payout_webhooks').selectAll().where('id', '=', JSON.parse(body).id).execute())[0];
const clearing = () => getBalance(app.ctx.db, 'liab:payout_clearing:paypal');

test('books the PayPal status for late, repeated and reordered webhooks, and quarantines contradictions', async () => {
  const [paid, failed, back] = await createSent(30, 40, 50);
  if (!paid || !failed || !back) throw new Error('three were sent');
  const unclaimed = createEvent(back.id, 'UNCLAIMED');
  service.setItemStatus(paid.id, 'SUCCESS');
  service.setItemStatus(failed.id, 'FAILED', 'RECEIVER_ACCOUNT_LOCKED');
  const succeeded = createEvent(paid.id, 'SUCCEEDED');
  expect(await Promise.all([deliver(succeeded), deliver(succeeded)])).toEqual([200, 200]);
  expect(await findStored(succeeded)).toMatchObject({ state: 'booked', received_count: 2 });
  expect((await seen(paid)).timeline.map(({ event }: { event: string }) => event)).toEqual([
    ...['requested', 'approved', 'queued', 'sent', 'paid'],
  ]);
  expect(await deliver(createEvent(failed.id, 'FAILED'))).toBe(200);
  expect(await seen(failed)).toMatchObject({
    transfer: 'failed',
    reason: expect.stringMatching(/^Your PayPal account is locked/),
  });
  service.setItemStatus(back.id, 'RETURNED');
  await deliver(createEvent(back.id, 'RETURNED'));
  await deliver(unclaimed);
  expect([(await seen(back)).transfer, (await findStored(unclaimed))?.state, await clearing()]).toEqual([
    'failed',
    'booked',
    0,
  ]);
  service.setItemStatus(paid.id, 'REFUNDED');
  await Promise.all([deliver(createEvent(paid.id, 'REFUNDED')), deliver(createEvent(paid.id, 'REFUNDED'))]);
  expect(await seen(paid)).toMatchObject({ status: 'rejected', transfer: 'failed' });
  service.setItemStatus(failed.id, 'SUCCESS');
  const opposite = createEvent(failed.id, 'SUCCEEDED');
  await deliver(opposite);
  expect(await findStored(opposite)).toMatchObject({
    state: 'quarantined',
    reason: expect.stringContaining('already returned'),
  });

  const reason = 'asked at PayPal';
  const read = async (path: string) => (await operator.inject('GET', `/api/admin/${path}`)).json();
  const decide = (webhook: SignedWebhook, decision: string, by = operator) =>
    by.inject('POST', `/api/admin/payout-webhooks/${JSON.parse(webhook.body).id}/decision`, { decision, reason });
  const waiting = async () =>
    (await read('work-queue')).data.find(({ kind }: { kind: string }) => kind === 'payoutWebhooks').count;
  const other = createEvent(failed.id, 'SUCCEEDED');
  await deliver(other);
  expect(await waiting()).toBe(2);
  const { data } = await read('payout-webhooks');
  expect(data.map(({ payout, reason }: { payout: object; reason: string }) => [payout, reason])).toEqual(
    Array(2).fill([
      expect.objectContaining({
        id: failed.id,
        net: 40,
        user: expect.objectContaining({ username: failed.creator.username }),
      }),
      expect.stringContaining('already returned'),
    ]),
  );
  expect((await decide(other, 'dismiss', failed.creator)).statusCode).toBe(403);
  const twice = await Promise.all([decide(other, 'dismiss'), decide(other, 'dismiss')]);
  expect(twice.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  service.setItemStatus(failed.id, 'FAILED', 'RECEIVER_ACCOUNT_LOCKED');
  expect((await decide(opposite, 'retry')).json()).toMatchObject({
    state: 'received',
    decisions: [{ decision: 'retry', reason, operator: operator.username }],
  });
  await deliver(other);
  expect([(await findStored(opposite))?.state, (await findStored(other))?.state, await waiting()]).toEqual([
    ...['booked', 'dismissed', 0],
  ]);
  expect((await read('audit?action=payoutWebhook')).totalCount).toBe(2);
});

test('a batch webhook queries all items, and a contradictory item does not affect the others', async () => {
  const [one, two] = await createSent(30, 40);
  if (!one || !two) throw new Error('two were sent');
  const ref = toItem(one.id).payout_batch_id;
  service.setItemStatus(one.id, 'FAILED');
  await operator.inject('POST', `/api/admin/payouts/${one.id}/transfer`, { step: 'failed', reason: 'by hand' });
  service.setItemStatus(one.id, 'SUCCESS');
  service.setItemStatus(two.id, 'SUCCESS');
  const done = service.createWebhook('PAYMENT.PAYOUTSBATCH.SUCCESS', { batch_header: { payout_batch_id: ref } });
  expect(await deliver(done)).toBe(200);
  expect([(await seen(one)).transfer, (await seen(two)).transfer]).toEqual(['failed', 'processed']);
});

test('a webhook about an unknown payout or another batch is quarantined and moves nothing', async () => {
  const [one] = await createSent(30);
  if (!one) throw new Error('one was sent');
  service.setItemStatus(one.id, 'SUCCESS');
  const item = toItem(one.id);
  const webhooks = [
    service.createWebhook('PAYMENT.PAYOUTS-ITEM.SUCCEEDED', { ...item, payout_item: { sender_item_id: randomUUID() } }),
    service.createWebhook('PAYMENT.PAYOUTS-ITEM.SUCCEEDED', { ...item, payout_item: { sender_item_id: '../1' } }),
    service.createWebhook('PAYMENT.PAYOUTS-ITEM.SUCCEEDED', { ...item, payout_batch_id: 'ANOTHER' }),
    service.createWebhook('PAYMENT.PAYOUTSBATCH.SUCCESS', { batch_header: { payout_batch_id: 'ANOTHER' } }),
  ];
  for (const webhook of webhooks) {
    expect(await deliver(webhook)).toBe(200);
    expect((await findStored(webhook))?.state).toBe('quarantined');
  }
  const other = service.createWebhook('CUSTOMER.DISPUTE.CREATED', {});
  await deliver(other);
  expect((await findStored(other))?.state).toBe('ignored');
  expect([(await seen(one)).transfer, await clearing()]).toEqual(['pending', 3_000]);
  expect((await app.app.http.inject({ method: 'GET', url: '/metrics' })).body).toMatch(
    /stagedoor_payout_webhooks_quarantined [4-9]/,
  );
});

test('slow PayPal queries do not delay other jobs', async () => {
  const busy = await createTestApp({ env });
  const other = defineJob('payouts.other', z.object({}));
  let isDone = false;
  busy.ctx.jobs.define(other, async () => {
    isDone = true;
  });
  await busy.app.start();
  const listStates = async (table: 'payout_batches' | 'payout_webhooks') =>
    (await busy.owner.query.selectFrom(table).select('state').execute()).map(({ state }) => state);
  const { requests } = await createBatch(busy, [30, 40]);
  await expect.poll(() => listStates('payout_batches')).toEqual(['sent']);
  service.setBehaviour('slow');
  for (const { id } of requests) expect((await postTo(busy, createEvent(id, 'UNCLAIMED'))).statusCode).toBe(200);
  await expect.poll(() => service.waiting()).toBeGreaterThan(0);
  await busy.ctx.jobs.add(busy.ctx.db, other, {});
  await expect.poll(() => isDone, { timeout: 15_000 }).toBe(true);
  expect(await listStates('payout_webhooks')).toEqual(['received', 'received']);
  service.setBehaviour('well');
  await expect.poll(() => listStates('payout_webhooks')).toEqual(['booked', 'booked']);
  await busy.close();
});

test('an unsigned webhook gets 404, and gets 502 while PayPal cannot verify the signature', async () => {
  const [one] = await createSent(30);
  if (!one) throw new Error('one was sent');
  const webhook = createEvent(one.id, 'SUCCEEDED');
  const forged = (headers: Record<string, string>, body = webhook.body) =>
    deliver({ body, headers: { ...webhook.headers, ...headers } });
  expect([
    await forged({ 'paypal-transmission-sig': 'AAAA' }),
    await forged({ 'paypal-transmission-time': '2026-01-01T00:00:00Z' }),
    await forged({ 'paypal-cert-url': 'https://api.paypal.com.example.org/v1/notifications/certs/CERT' }),
    await forged({}, webhook.body.replace('PENDING', 'SUCCESS')),
    await forged({}, `${webhook.body},"x":{}`),
    await forged({}, '[]'),
    await deliver({ body: webhook.body, headers: { 'content-type': 'application/json' } }),
  ]).toEqual([404, 404, 404, 404, 404, 404, 404]);
  service.setBehaviour('down');
  expect(await deliver(webhook)).toBe(502);
  service.setBehaviour('well');
  expect(await findStored(webhook)).toBeUndefined();
  expect(await deliver(webhook)).toBe(200);
});

test.each([
  ['https://api-m.paypal.com', 'https://api.paypal.com/v1/notifications/certs/CERT-1', true],
  ['https://api-m.sandbox.paypal.com', 'https://api.sandbox.paypal.com/v1/notifications/certs/CERT-1', true],
  ['https://api-m.paypal.com', 'https://api.sandbox.paypal.com/v1/notifications/certs/CERT-1', false],
  ['https://api-m.paypal.com', 'http://api.paypal.com/v1/notifications/certs/CERT-1', false],
  ['https://api-m.paypal.com', 'https://api.paypal.com@example.org/v1/notifications/certs/CERT-1', false],
  ['https://api-m.paypal.com', 'https://x@api.paypal.com/v1/notifications/certs/CERT-1', false],
  ['https://api-m.paypal.com', 'https://api.paypal.com/v1/notifications/certs/../../evil', false],
  ['https://api-m.paypal.com', 'CERT-1', false],
])('for %s the certificate URL %s is valid: %s', (api, address, is) => {
  expect(isCertificateUrl(api, address)).toBe(is);
});
