import { randomUUID } from 'node:crypto';
import type { PayoutDetails } from '@stagedoor/contract/payouts.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { job } from '../../kernel/jobs.ts';
import { createTestApp, type TestApp, type TestUser } from '../../testing/app.ts';
import { balanceOf } from '../ledger/index.ts';
import { openPayPal, WEBHOOK_ID } from './paypal.testing.ts';
import { isCertificateOf } from './paypal.ts';
import { addMethod, payee, requestIt, requireCleanBooks } from './testing.ts';

const PAYPAL: PayoutDetails = { kind: 'paypal', email: 'jane@example.com' };

let app: TestApp;
let env: Record<string, string>;
let service: Awaited<ReturnType<typeof openPayPal>>;
let operator: TestUser;
beforeAll(async () => {
  service = await openPayPal();
  const paypal = { PAYPAL_URL: service.url, PAYPAL_CLIENT_ID: 'client', PAYPAL_CLIENT_SECRET: 'secret' };
  env = { ...paypal, PAYPAL_WEBHOOK_ID: WEBHOOK_ID };
  app = await createTestApp({ env });
});
afterEach(async () => {
  await app.ctx.events.settle();
  await requireCleanBooks(app);
});
afterAll(async () => {
  await app.close();
  await service.close();
});

async function batched(of: TestApp, sums: readonly number[]) {
  const made = [];
  for (const usd of sums) {
    const creator = await payee(of, usd * 100);
    const method = await addMethod(of, creator, PAYPAL);
    made.push({ creator, id: (await requestIt(creator, usd, method.id)).json<{ id: string }>().id });
  }
  const by = await of.signUp('operator');
  const desk = (path: string, body: object) =>
    by.inject('POST', `/api/admin/${path}`, body, { 'idempotency-key': randomUUID() });
  for (const { id } of made) await desk(`payouts/${id}/decision`, { decision: 'approve', ground: 'looked at it' });
  await desk('payout-batches', { rail: 'paypal' });
  return { made, by };
}
async function sent(...sums: number[]) {
  const { made, by } = await batched(app, sums);
  operator = by;
  await app.ctx.jobs.runDue(['payouts.submit']);
  return made;
}
type Post = ReturnType<typeof service.post>;
const postTo = (to: TestApp, { body, headers }: Post) =>
  to.app.http.inject({ method: 'POST', url: '/api/webhook/paypal', payload: body, headers });
const deliver = async (one: Post) => {
  const answer = await postTo(app, one);
  await app.ctx.jobs.runDue(['payouts.notice']);
  return answer.statusCode;
};
const itemOf = (id: string) => {
  for (const batch of service.batches)
    for (const item of batch.items)
      if (item.payout_item.sender_item_id === id) return { ...item, payout_batch_id: batch.ref };
  throw new Error(`nobody sent ${id}`);
};
const told = (id: string, event: string) => service.post(`PAYMENT.PAYOUTS-ITEM.${event}`, itemOf(id));
const seen = async ({ creator, id }: { creator: TestUser; id: string }) =>
  (await creator.inject('GET', `/api/creator/payouts/${id}`)).json();
const kept = async ({ body }: Post) =>
  (await app.owner.query.selectFrom('payout_notices').selectAll().where('id', '=', JSON.parse(body).id).execute())[0];
const clearing = () => balanceOf(app.ctx.db, 'liab:payout_clearing:paypal');

test('books the PayPal status for late, repeated and reordered webhooks, and quarantines contradictions', async () => {
  const [paid, failed, back] = await sent(30, 40, 50);
  if (!paid || !failed || !back) throw new Error('three were sent');
  const unclaimed = told(back.id, 'UNCLAIMED');
  service.tell(paid.id, 'SUCCESS');
  service.tell(failed.id, 'FAILED', 'RECEIVER_ACCOUNT_LOCKED');
  const succeeded = told(paid.id, 'SUCCEEDED');
  expect(await Promise.all([deliver(succeeded), deliver(succeeded)])).toEqual([200, 200]);
  expect(await kept(succeeded)).toMatchObject({ state: 'booked', received_count: 2 });
  expect((await seen(paid)).track.map(({ moment }: { moment: string }) => moment)).toEqual([
    ...['requested', 'approved', 'queued', 'sent', 'paid'],
  ]);
  expect(await deliver(told(failed.id, 'FAILED'))).toBe(200);
  expect(await seen(failed)).toMatchObject({
    transfer: 'failed',
    reason: expect.stringMatching(/^Your PayPal account is locked/),
  });
  service.tell(back.id, 'RETURNED');
  await deliver(told(back.id, 'RETURNED'));
  await deliver(unclaimed);
  expect([(await seen(back)).transfer, (await kept(unclaimed))?.state, await clearing()]).toEqual([
    'failed',
    'booked',
    0,
  ]);
  service.tell(paid.id, 'REFUNDED');
  await Promise.all([deliver(told(paid.id, 'REFUNDED')), deliver(told(paid.id, 'REFUNDED'))]);
  expect(await seen(paid)).toMatchObject({ status: 'rejected', transfer: 'failed' });
  service.tell(failed.id, 'SUCCESS');
  const opposite = told(failed.id, 'SUCCEEDED');
  await deliver(opposite);
  expect(await kept(opposite)).toMatchObject({
    state: 'quarantined',
    reason: expect.stringContaining('already returned'),
  });

  const ground = 'asked at PayPal';
  const read = async (path: string) => (await operator.inject('GET', `/api/admin/${path}`)).json();
  const decide = (post: Post, decision: string, by = operator) =>
    by.inject('POST', `/api/admin/payout-notices/${JSON.parse(post.body).id}/decision`, { decision, ground });
  const waiting = async () =>
    (await read('desk')).data.find(({ kind }: { kind: string }) => kind === 'payoutNotices').count;
  const other = told(failed.id, 'SUCCEEDED');
  await deliver(other);
  expect(await waiting()).toBe(2);
  const { data } = await read('payout-notices');
  expect(data.map(({ payout, reason }: { payout: object; reason: string }) => [payout, reason])).toEqual(
    Array(2).fill([
      expect.objectContaining({
        id: failed.id,
        net: 40,
        person: expect.objectContaining({ username: failed.creator.username }),
      }),
      expect.stringContaining('already returned'),
    ]),
  );
  expect((await decide(other, 'dismiss', failed.creator)).statusCode).toBe(403);
  const twice = await Promise.all([decide(other, 'dismiss'), decide(other, 'dismiss')]);
  expect(twice.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  service.tell(failed.id, 'FAILED', 'RECEIVER_ACCOUNT_LOCKED');
  expect((await decide(opposite, 'retry')).json()).toMatchObject({
    state: 'received',
    decisions: [{ decision: 'retry', ground, operator: operator.username }],
  });
  await deliver(other);
  expect([(await kept(opposite))?.state, (await kept(other))?.state, await waiting()]).toEqual([
    ...['booked', 'dismissed', 0],
  ]);
  expect((await read('audit?act=payoutNotice')).totalCount).toBe(2);
});

test('a batch webhook queries all items, and a contradictory item does not affect the others', async () => {
  const [one, two] = await sent(30, 40);
  if (!one || !two) throw new Error('two were sent');
  const ref = itemOf(one.id).payout_batch_id;
  service.tell(one.id, 'FAILED');
  await operator.inject('POST', `/api/admin/payouts/${one.id}/transfer`, { step: 'failed', ground: 'by hand' });
  service.tell(one.id, 'SUCCESS');
  service.tell(two.id, 'SUCCESS');
  const done = service.post('PAYMENT.PAYOUTSBATCH.SUCCESS', { batch_header: { payout_batch_id: ref } });
  expect(await deliver(done)).toBe(200);
  expect([(await seen(one)).transfer, (await seen(two)).transfer]).toEqual(['failed', 'processed']);
});

test('a webhook about an unknown payout or another batch is quarantined and moves nothing', async () => {
  const [one] = await sent(30);
  if (!one) throw new Error('one was sent');
  service.tell(one.id, 'SUCCESS');
  const item = itemOf(one.id);
  const posts = [
    service.post('PAYMENT.PAYOUTS-ITEM.SUCCEEDED', { ...item, payout_item: { sender_item_id: randomUUID() } }),
    service.post('PAYMENT.PAYOUTS-ITEM.SUCCEEDED', { ...item, payout_item: { sender_item_id: '../1' } }),
    service.post('PAYMENT.PAYOUTS-ITEM.SUCCEEDED', { ...item, payout_batch_id: 'ANOTHER' }),
    service.post('PAYMENT.PAYOUTSBATCH.SUCCESS', { batch_header: { payout_batch_id: 'ANOTHER' } }),
  ];
  for (const post of posts) {
    expect(await deliver(post)).toBe(200);
    expect((await kept(post))?.state).toBe('quarantined');
  }
  const other = service.post('CUSTOMER.DISPUTE.CREATED', {});
  await deliver(other);
  expect((await kept(other))?.state).toBe('ignored');
  expect([(await seen(one)).transfer, await clearing()]).toEqual(['pending', 3_000]);
  expect((await app.app.http.inject({ method: 'GET', url: '/metrics' })).body).toMatch(
    /stagedoor_payout_notices_quarantined [4-9]/,
  );
});

test('slow PayPal queries do not delay other jobs', async () => {
  const busy = await createTestApp({ env });
  const other = job('payouts.other', z.object({}));
  let isDone = false;
  busy.ctx.jobs.define(other, async () => {
    isDone = true;
  });
  await busy.app.start();
  const statesOf = async (table: 'payout_batches' | 'payout_notices') =>
    (await busy.owner.query.selectFrom(table).select('state').execute()).map(({ state }) => state);
  const { made } = await batched(busy, [30, 40]);
  await expect.poll(() => statesOf('payout_batches')).toEqual(['sent']);
  service.is('slow');
  for (const { id } of made) expect((await postTo(busy, told(id, 'UNCLAIMED'))).statusCode).toBe(200);
  await expect.poll(() => service.waiting()).toBeGreaterThan(0);
  await busy.ctx.jobs.add(busy.ctx.db, other, {});
  await expect.poll(() => isDone, { timeout: 15_000 }).toBe(true);
  expect(await statesOf('payout_notices')).toEqual(['received', 'received']);
  service.is('well');
  await expect.poll(() => statesOf('payout_notices')).toEqual(['booked', 'booked']);
  await busy.close();
});

test('an unsigned webhook gets 404, and gets 502 while PayPal cannot verify the signature', async () => {
  const [one] = await sent(30);
  if (!one) throw new Error('one was sent');
  const post = told(one.id, 'SUCCEEDED');
  const forged = (headers: Record<string, string>, body = post.body) =>
    deliver({ body, headers: { ...post.headers, ...headers } });
  expect([
    await forged({ 'paypal-transmission-sig': 'AAAA' }),
    await forged({ 'paypal-transmission-time': '2026-01-01T00:00:00Z' }),
    await forged({ 'paypal-cert-url': 'https://api.paypal.com.example.org/v1/notifications/certs/CERT' }),
    await forged({}, post.body.replace('PENDING', 'SUCCESS')),
    await forged({}, `${post.body},"x":{}`),
    await forged({}, '[]'),
    await deliver({ body: post.body, headers: { 'content-type': 'application/json' } }),
  ]).toEqual([404, 404, 404, 404, 404, 404, 404]);
  service.is('down');
  expect(await deliver(post)).toBe(502);
  service.is('well');
  expect(await kept(post)).toBeUndefined();
  expect(await deliver(post)).toBe(200);
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
  expect(isCertificateOf(api, address)).toBe(is);
});
