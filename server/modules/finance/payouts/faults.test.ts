import { randomUUID } from 'node:crypto';
import type { PayoutDetails } from '@stagedoor/contract/finance/payouts.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { account, getBalance } from '../../ledger/ledger/index.ts';
import { startPayPal, WEBHOOK_ID } from './paypal.testing.ts';
import { pollPayPal, submitBatch } from './submit.ts';
import { BITCOIN, createPayee, createPayoutMethod, expectCleanLedger, requestPayoutAs } from './testing.ts';

const PAYPAL: PayoutDetails = { kind: 'paypal', email: 'jane@example.com' };
const reason = 'looked at the papers';

let app: TestApp;
let service: Awaited<ReturnType<typeof startPayPal>>;
let operator: TestUser;
let second: TestUser;
beforeAll(async () => {
  service = await startPayPal();
  const env = {
    PAYPAL_URL: service.url,
    PAYPAL_CLIENT_ID: 'client',
    PAYPAL_CLIENT_SECRET: 'secret',
    PAYPAL_WEBHOOK_ID: WEBHOOK_ID,
  };
  app = await createTestApp({ env });
});
beforeEach(async () => {
  service.setBehaviour('well');
  [operator, second] = await Promise.all([app.signUp('operator'), app.signUp('operator')]);
});
afterEach(async () => {
  await app.ctx.events.waitUntilIdle();
  await expectCleanLedger(app);
});
afterAll(async () => {
  await app.close();
  await service.close();
});

const decide = (id: string, decision: string, by = operator) =>
  by.inject('POST', `/api/admin/payouts/${id}/decision`, { decision, reason });
const step = async (id: string, kind: string) =>
  (await app.logIn(second)).inject('POST', `/api/admin/payouts/${id}/transfer`, { step: kind, reason });
const sendAll = (rail: string) =>
  operator.inject('POST', '/api/admin/payout-batches', { rail }, { 'idempotency-key': randomUUID() });
async function createRequest(usd: number, details: PayoutDetails = PAYPAL) {
  const creator = await createPayee(app, usd * 100);
  const method = await createPayoutMethod(app, creator, details);
  const { id } = (await requestPayoutAs(creator, usd, method.id)).json<{ id: string }>();
  const seen = async () => (await creator.inject('GET', `/api/creator/payouts/${id}`)).json();
  return { id, seen, available: () => getBalance(app.ctx.db, account.available(creator.id)) };
}
async function createApproved(usd: number, details: PayoutDetails = PAYPAL) {
  const made = await createRequest(usd, details);
  expect((await decide(made.id, 'approve')).json().status).toBe('approved');
  return made;
}
async function handOver() {
  const { id } = (await sendAll('paypal')).json<{ id: string }>();
  return () => submitBatch(app.ctx, id).catch((error: unknown) => error);
}
const batchState = async () => (await operator.inject('GET', '/api/admin/payout-batches?limit=1')).json().data[0].state;
const read = async (path: string) => (await operator.inject('GET', `/api/admin/${path}`)).json();
const clearing = () => getBalance(app.ctx.db, 'liab:payout_clearing:paypal');
const countUnsureBatches = async () =>
  (await read('work-queue')).data.find(({ kind }: { kind: string }) => kind === 'payoutBatches').count;
async function deliver({ body, headers }: ReturnType<typeof service.createWebhook>) {
  await app.app.http.inject({ method: 'POST', url: '/api/webhook/paypal', payload: body, headers });
  await app.ctx.jobs.runDue(['payouts.processWebhook']);
}
const isAtPayPal = (id: string) =>
  service.batches.some(({ items }) => items.some(({ payout_item: item }) => item.sender_item_id === id));

test('an operator cannot return money by hand while the request to PayPal is still running', async () => {
  const { id, available } = await createApproved(30);
  service.setBehaviour('down');
  const runSubmit = await handOver();
  for (const state of ['sending', 'unknown']) {
    expect(await batchState()).toBe(state);
    const reported = await step(id, 'failed');
    expect([reported.statusCode, reported.json().message]).toEqual([409, expect.stringContaining('still being sent')]);
    await runSubmit();
  }
  expect([isAtPayPal(id), await available()]).toEqual([false, 0]);
  app.clock.advance(30 * 86_400_000);
  [operator, second] = [await app.signUp('operator'), await app.signUp('operator')];
  service.setBehaviour('well');
  await runSubmit();
  expect(isAtPayPal(id)).toBe(false);
  expect((await step(id, 'failed')).statusCode).toBe(200);
  expect(await available()).toBe(3_000);
});

test('a batch that PayPal refuses stays approved and is sent again, even after the process was killed midway', async () => {
  const [one, two] = [await createApproved(30), await createApproved(40)];
  service.setBehaviour('denies');
  const runSubmit = await handOver();
  const client = await app.owner.pool.connect();
  await client.query('begin');
  await client.query('select from payouts where id = $1 for update', [two.id]);
  const running = runSubmit();
  const waits = "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await expect.poll(async () => (await app.owner.pool.query(waits)).rowCount).toBe(1);
  await app.owner.pool.query(`select pg_terminate_backend(pid) from (${waits}) w`);
  await running;
  await client.query('rollback');
  client.release();
  await runSubmit();
  const refused = (await operator.inject('GET', '/api/admin/payout-batches?limit=1')).json().data[0];
  expect(refused).toMatchObject({
    state: 'refused',
    count: 2,
    net: 70,
    detail: expect.stringContaining('AUTHORIZATION_ERROR'),
  });
  expect([await clearing(), await countUnsureBatches()]).toEqual([0, 1]);
  for (const { id, seen, available } of [one, two]) {
    expect([(await seen()).status, (await seen()).transfer, await available()]).toEqual(['approved', 'pending', 0]);
    expect((await read(`payouts/${id}`)).approvals).toEqual([operator.username]);
  }
  expect((await read(`payouts?batchId=${refused.id}`)).totalCount).toBe(2);
  service.setBehaviour('well');
  const item = { payout_item_id: 'ITEM', payout_batch_id: 'BATCH', payout_item: { sender_item_id: one.id } };
  await deliver(service.createWebhook('PAYMENT.PAYOUTS-ITEM.SUCCEEDED', item));
  const [webhook] = (await read('payout-webhooks')).data;
  expect([webhook.payout.id, webhook.reason]).toEqual([one.id, expect.stringContaining('previously rejected a batch')]);
  const again = await handOver();
  await again();
  expect([await batchState(), await countUnsureBatches(), isAtPayPal(one.id)]).toEqual(['sent', 0, true]);
  for (const { id } of [one, two]) service.setItemStatus(id, 'SUCCESS');
  await pollPayPal(app.ctx);
  for (const { id, seen } of [one, two]) {
    expect((await seen()).timeline.map(({ event }: { event: string }) => event)).toEqual([
      ...['requested', 'approved', 'queued', 'unsent', 'queued', 'sent', 'paid'],
    ]);
    const { transactions } = await read(`payouts/${id}`);
    expect(transactions.map(({ title }: { title: string }) => title)).toEqual([
      ...['Payout requested', 'Payout sent', 'Payout failed', 'Payout sent', 'Payout paid'],
    ]);
  }
});

test.each([
  ['its answer is lost', ['lost', 'denies']],
  ['it never answers, and then refuses', ['down', 'lost', 'denies', 'denies']],
] as const)(
  'PayPal takes a batch and %s: a later refusal returns no money, and the webhook settles the payout',
  async (_, moods) => {
    const { id, seen, available } = await createApproved(30);
    const runSubmit = await handOver();
    for (const mood of moods) {
      service.setBehaviour(mood);
      await runSubmit();
    }
    expect([isAtPayPal(id), await batchState(), await available(), await clearing()]).toEqual([
      true,
      'unknown',
      0,
      3_000,
    ]);
    expect(await countUnsureBatches()).toBe(1);
    const batch = service.batches.find(({ items }) => items[0]?.payout_item.sender_item_id === id);
    const [item] = batch?.items ?? [];
    service.setBehaviour('well');
    service.setItemStatus(id, 'SUCCESS');
    const createItemWebhook = (ref = '') =>
      service.createWebhook('PAYMENT.PAYOUTS-ITEM.SUCCEEDED', { ...item, payout_batch_id: ref });
    await deliver(createItemWebhook('ANOTHER'));
    expect(await batchState()).toBe('unknown');
    await deliver(createItemWebhook(batch?.ref));
    expect([await batchState(), (await seen()).status, await clearing()]).toEqual(['sent', 'transfered', 0]);
  },
);

test('a batch stays unknown when it is refused after a process was killed during the request', async () => {
  const { id, available } = await createApproved(30);
  const runSubmit = await handOver();
  await app.owner.pool.query(
    'update payout_batches set unanswered_count = 1 where id = (select batch_id from payouts where id = $1)',
    [id],
  );
  service.setBehaviour('denies');
  await runSubmit();
  expect([await batchState(), await available(), await clearing()]).toEqual(['unknown', 0, 3_000]);
  service.setBehaviour('well');
  await runSubmit();
  service.setItemStatus(id, 'FAILED', 'SENDER_ACCOUNT_LOCKED');
  await pollPayPal(app.ctx);
  const view = await read(`payouts/${id}`);
  expect([view.status, view.batchId, await clearing(), await countUnsureBatches()]).toEqual(['approved', null, 0, 1]);
  expect((await decide(id, 'reject')).json().status).toBe('rejected');
  expect([await available(), await countUnsureBatches()]).toEqual([3_000, 0]);
});

test('a report of an operator about a PayPal payout books only what PayPal confirms', async () => {
  const made = [await createApproved(30), await createApproved(40), await createApproved(50), await createApproved(60)];
  const [one = '', two = '', three = '', four = ''] = made.map(({ id }) => id);
  await (await handOver())();
  const recordStep = async (id: string, kind: string) => {
    const { statusCode, body } = await step(id, kind);
    return [statusCode, JSON.parse(body).transfer ?? JSON.parse(body).message];
  };
  const onItsWay = [409, expect.stringContaining('in transit')];
  for (const kind of ['failed', 'returned', 'paid']) expect(await recordStep(one, kind)).toEqual(onItsWay);
  service.setBehaviour('down');
  expect(await recordStep(one, 'failed')).toEqual([502, expect.stringContaining('isn’t responding')]);
  service.setBehaviour('well');
  expect(await clearing()).toBe(18_000);
  service.setItemStatus(one, 'SUCCESS');
  expect(await recordStep(one, 'failed')).toEqual([200, 'processed']);
  expect((await recordStep(one, 'returned'))[0]).toBe(200);
  expect((await read(`payouts/${one}`)).status).toBe('transfered');
  service.setItemStatus(two, 'UNCLAIMED');
  expect(await recordStep(two, 'paid')).toEqual(onItsWay);
  expect(await recordStep(two, 'returned')).toEqual([200, 'failed']);
  expect([await made[1]?.available(), isAtPayPal(two)]).toEqual([4_000, true]);
  service.setItemStatus(three, 'FAILED', 'RECEIVER_ACCOUNT_LOCKED');
  expect(await recordStep(three, 'paid')).toEqual([200, 'failed']);
  expect(await clearing()).toBe(6_000);
  await pollPayPal(app.ctx);
  for (const batch of service.batches)
    batch.items = batch.items.filter((item) => item.payout_item.sender_item_id !== four);
  expect(await recordStep(four, 'failed')).toEqual([200, 'failed']);
  expect([await made[3]?.available(), await clearing()]).toEqual([6_000, 0]);
  const actions = (await read(`audit?subjectId=${two}`)).data.map(({ action }: { action: string }) => action);
  expect(actions[0]).toBe('payout.queried');
});

test('a mistyped blockchain transaction id can be replaced, and the audit log retains the old one', async () => {
  const { id } = await createApproved(60, BITCOIN);
  const { id: unsent } = await createRequest(60, BITCOIN);
  await sendAll('crypto');
  const [first, second_] = ['a'.repeat(64), 'b'.repeat(64)];
  const note = (reference: string) =>
    second.inject('POST', `/api/admin/payouts/${id}/transfer`, { step: 'broadcast', reference, reason });
  const correct = (from: string, to: string, payoutId = id) =>
    operator.inject('POST', `/api/admin/payouts/${payoutId}/reference`, { from, to, reason });
  expect((await correct(first, second_)).statusCode).toBe(409);
  for (const wrong of ['a'.repeat(63), `0x${first}`, 'g'.repeat(64)]) expect((await note(wrong)).statusCode).toBe(400);
  expect((await note(first)).statusCode).toBe(200);
  expect((await correct(first, 'typo')).statusCode).toBe(400);
  const both = await Promise.all([correct(first, second_), correct(first, 'c'.repeat(64))]);
  expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  expect((await correct(second_, first, unsent)).statusCode).toBe(409);
  expect((await correct(second_, first, randomUUID())).statusCode).toBe(404);
  const [entry] = (await read(`audit?subjectId=${id}&action=payout.reference`)).data;
  const to = (await read(`payouts/${id}`)).reference;
  expect(JSON.stringify(entry)).toContain(first);
  expect([second_, 'c'.repeat(64)]).toContain(to);
  expect((await step(id, 'paid')).json()).toMatchObject({ status: 'transfered', reference: to });
});

test.each([
  ['takes it and names no batch', ['mute']],
  ['refuses an id that it knows without naming the batch', ['lost', 'strict']],
] as const)('PayPal %s: no money is returned', async (_, moods) => {
  const { id, seen, available } = await createApproved(30);
  const runSubmit = await handOver();
  for (const mood of moods) {
    service.setBehaviour(mood);
    await runSubmit();
  }
  expect([isAtPayPal(id), await batchState(), await available()]).toEqual([true, 'unknown', 0]);
  service.setBehaviour('well');
  await runSubmit();
  service.setItemStatus(id, 'SUCCESS');
  await pollPayPal(app.ctx);
  expect((await seen()).status).toBe('transfered');
});

test('a batch that PayPal denies after taking it is sent again, even without a list of items', async () => {
  const { id, seen, available } = await createApproved(30);
  await (await handOver())();
  const batch = service.batches.find(({ items }) => items[0]?.payout_item.sender_item_id === id);
  if (batch) batch.status = 'DENIED';
  await pollPayPal(app.ctx);
  expect([(await seen()).transfer, await available(), await batchState()]).toEqual(['pending', 0, 'refused']);
  await (await handOver())();
  service.setItemStatus(id, 'SUCCESS', undefined);
  await pollPayPal(app.ctx);
  expect((await seen()).status).toBe('transfered');
});

test('an operator who raises the limit cannot approve alone what needed two approvals', async () => {
  const { id } = await createRequest(2_000);
  const settings = (await operator.inject('GET', '/api/admin/payout-settings')).json();
  const set = (before: number, secondApprover: number) =>
    operator.inject('PUT', '/api/admin/payout-settings', {
      from: { ...settings, secondApprover: before },
      to: { ...settings, secondApprover },
      reason: 'More is asked for',
    });
  const decideLimit = (decision: string, to: number, by: TestUser) =>
    by.inject('POST', '/api/admin/setting-approvals/secondApprover/decision', {
      decision,
      to,
      reason: 'We spoke about it',
    });
  const raised = (await set(settings.secondApprover, 5_000)).json();
  expect(raised).toMatchObject({ secondApprover: settings.secondApprover });
  const own = await decideLimit('confirm', 5_000, operator);
  expect([own.statusCode, own.json().message]).toEqual([
    409,
    'You requested this. Another staff member must confirm it.',
  ]);
  expect((await decideLimit('confirm', 4_000, second)).statusCode).toBe(409);
  expect((await decideLimit('refuse', 5_000, second)).json()).toEqual({ data: [] });
  await set(settings.secondApprover, 5_000);
  expect((await decideLimit('confirm', 5_000, second)).json()).toEqual({ data: [] });
  expect((await decide(id, 'approve')).json()).toMatchObject({ status: 'inreview', approvalsNeeded: 2 });
  expect((await decide(id, 'approve', second)).json().status).toBe('approved');
  const later = await createRequest(2_000);
  expect((await decide(later.id, 'approve')).json()).toMatchObject({ status: 'approved', approvalsNeeded: 1 });
  await set(5_000, settings.secondApprover);
});

test('a payout list is safe in every spreadsheet, and the mask hides a short account number', async () => {
  const { seen } = await createApproved(20, {
    kind: 'ach',
    holder: 'Jane;=1+1;"=2+2;"',
    routing: 'DEUTDEFF',
    account: '4711',
    accountType: 'Checking Account',
    region: 'International',
  });
  const { id } = (await sendAll('wire')).json();
  const list = await operator.inject('POST', `/api/admin/payout-batches/${id}/file`);
  expect(list.body).toContain(`"Jane;'=1+1;""'=2+2;""","4711"`);
  expect(list.headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  expect((await seen()).method.label).toBe('Checking Account abroad ending in 11, DEUTDEFF');
});
