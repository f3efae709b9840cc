import { randomUUID } from 'node:crypto';
import type { PayoutDetails } from '@stagedoor/contract/payouts.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../testing/app.ts';
import { account, balanceOf } from '../ledger/index.ts';
import { openPayPal, WEBHOOK_ID } from './paypal.testing.ts';
import { chase, submit } from './submit.ts';
import { addMethod, BITCOIN, payee, requestIt, requireCleanBooks } from './testing.ts';

const PAYPAL: PayoutDetails = { kind: 'paypal', email: 'jane@example.com' };
const ground = 'looked at the papers';

let app: TestApp;
let service: Awaited<ReturnType<typeof openPayPal>>;
let operator: TestUser;
let second: TestUser;
beforeAll(async () => {
  service = await openPayPal();
  const env = {
    PAYPAL_URL: service.url,
    PAYPAL_CLIENT_ID: 'client',
    PAYPAL_CLIENT_SECRET: 'secret',
    PAYPAL_WEBHOOK_ID: WEBHOOK_ID,
  };
  app = await createTestApp({ env });
});
beforeEach(async () => {
  service.is('well');
  [operator, second] = await Promise.all([app.signUp('operator'), app.signUp('operator')]);
});
afterEach(async () => {
  await app.ctx.events.settle();
  await requireCleanBooks(app);
});
afterAll(async () => {
  await app.close();
  await service.close();
});

const decide = (id: string, decision: string, by = operator) =>
  by.inject('POST', `/api/admin/payouts/${id}/decision`, { decision, ground });
const step = async (id: string, what: string) =>
  (await app.logIn(second)).inject('POST', `/api/admin/payouts/${id}/transfer`, { step: what, ground });
const sendAll = (rail: string) =>
  operator.inject('POST', '/api/admin/payout-batches', { rail }, { 'idempotency-key': randomUUID() });
async function requested(usd: number, details: PayoutDetails = PAYPAL) {
  const creator = await payee(app, usd * 100);
  const method = await addMethod(app, creator, details);
  const { id } = (await requestIt(creator, usd, method.id)).json<{ id: string }>();
  const seen = async () => (await creator.inject('GET', `/api/creator/payouts/${id}`)).json();
  return { id, seen, available: () => balanceOf(app.ctx.db, account.available(creator.id)) };
}
async function approved(usd: number, details: PayoutDetails = PAYPAL) {
  const made = await requested(usd, details);
  expect((await decide(made.id, 'approve')).json().status).toBe('approved');
  return made;
}
async function handOver() {
  const { id } = (await sendAll('paypal')).json<{ id: string }>();
  return () => submit(app.ctx, id).catch((error: unknown) => error);
}
const batchState = async () => (await operator.inject('GET', '/api/admin/payout-batches?limit=1')).json().data[0].state;
const read = async (path: string) => (await operator.inject('GET', `/api/admin/${path}`)).json();
const clearing = () => balanceOf(app.ctx.db, 'liab:payout_clearing:paypal');
const unsure = async () =>
  (await read('desk')).data.find(({ kind }: { kind: string }) => kind === 'payoutBatches').count;
async function deliver({ body, headers }: ReturnType<typeof service.post>) {
  await app.app.http.inject({ method: 'POST', url: '/api/webhook/paypal', payload: body, headers });
  await app.ctx.jobs.runDue(['payouts.notice']);
}
const isAtPayPal = (id: string) =>
  service.batches.some(({ items }) => items.some(({ payout_item: item }) => item.sender_item_id === id));

test('an operator cannot return money by hand while the request to PayPal is still running', async () => {
  const { id, available } = await approved(30);
  service.is('down');
  const ask = await handOver();
  for (const state of ['sending', 'unknown']) {
    expect(await batchState()).toBe(state);
    const told = await step(id, 'failed');
    expect([told.statusCode, told.json().message]).toEqual([409, expect.stringContaining('still being sent')]);
    await ask();
  }
  expect([isAtPayPal(id), await available()]).toEqual([false, 0]);
  app.clock.advance(30 * 86_400_000);
  [operator, second] = [await app.signUp('operator'), await app.signUp('operator')];
  service.is('well');
  await ask();
  expect(isAtPayPal(id)).toBe(false);
  expect((await step(id, 'failed')).statusCode).toBe(200);
  expect(await available()).toBe(3_000);
});

test('a batch that PayPal refuses stays approved and is sent again, even after the process was killed midway', async () => {
  const [one, two] = [await approved(30), await approved(40)];
  service.is('denies');
  const ask = await handOver();
  const held = await app.owner.pool.connect();
  await held.query('begin');
  await held.query('select from payouts where id = $1 for update', [two.id]);
  const asking = ask();
  const waits = "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await expect.poll(async () => (await app.owner.pool.query(waits)).rowCount).toBe(1);
  await app.owner.pool.query(`select pg_terminate_backend(pid) from (${waits}) w`);
  await asking;
  await held.query('rollback');
  held.release();
  await ask();
  const refused = (await operator.inject('GET', '/api/admin/payout-batches?limit=1')).json().data[0];
  expect(refused).toMatchObject({
    state: 'refused',
    count: 2,
    net: 70,
    detail: expect.stringContaining('AUTHORIZATION_ERROR'),
  });
  expect([await clearing(), await unsure()]).toEqual([0, 1]);
  for (const { id, seen, available } of [one, two]) {
    expect([(await seen()).status, (await seen()).transfer, await available()]).toEqual(['approved', 'pending', 0]);
    expect((await read(`payouts/${id}`)).approvals).toEqual([operator.username]);
  }
  expect((await read(`payouts?batchId=${refused.id}`)).totalCount).toBe(2);
  service.is('well');
  const item = { payout_item_id: 'ITEM', payout_batch_id: 'BATCH', payout_item: { sender_item_id: one.id } };
  await deliver(service.post('PAYMENT.PAYOUTS-ITEM.SUCCEEDED', item));
  const [notice] = (await read('payout-notices')).data;
  expect([notice.payout.id, notice.reason]).toEqual([one.id, expect.stringContaining('refused the batch')]);
  const again = await handOver();
  await again();
  expect([await batchState(), await unsure(), isAtPayPal(one.id)]).toEqual(['sent', 0, true]);
  for (const { id } of [one, two]) service.tell(id, 'SUCCESS');
  await chase(app.ctx);
  for (const { id, seen } of [one, two]) {
    expect((await seen()).track.map(({ moment }: { moment: string }) => moment)).toEqual([
      ...['requested', 'approved', 'queued', 'unsent', 'queued', 'sent', 'paid'],
    ]);
    const { working } = await read(`payouts/${id}`);
    expect(working.map(({ title }: { title: string }) => title)).toEqual([
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
    const { id, seen, available } = await approved(30);
    const ask = await handOver();
    for (const mood of moods) {
      service.is(mood);
      await ask();
    }
    expect([isAtPayPal(id), await batchState(), await available(), await clearing()]).toEqual([
      true,
      'unknown',
      0,
      3_000,
    ]);
    expect(await unsure()).toBe(1);
    const batch = service.batches.find(({ items }) => items[0]?.payout_item.sender_item_id === id);
    const [item] = batch?.items ?? [];
    service.is('well');
    service.tell(id, 'SUCCESS');
    const post = (ref = '') => service.post('PAYMENT.PAYOUTS-ITEM.SUCCEEDED', { ...item, payout_batch_id: ref });
    await deliver(post('ANOTHER'));
    expect(await batchState()).toBe('unknown');
    await deliver(post(batch?.ref));
    expect([await batchState(), (await seen()).status, await clearing()]).toEqual(['sent', 'transfered', 0]);
  },
);

test('a batch stays unknown when it is refused after a process was killed during the request', async () => {
  const { id, available } = await approved(30);
  const ask = await handOver();
  await app.owner.pool.query(
    'update payout_batches set unanswered_count = 1 where id = (select batch_id from payouts where id = $1)',
    [id],
  );
  service.is('denies');
  await ask();
  expect([await batchState(), await available(), await clearing()]).toEqual(['unknown', 0, 3_000]);
  service.is('well');
  await ask();
  service.tell(id, 'FAILED', 'SENDER_ACCOUNT_LOCKED');
  await chase(app.ctx);
  const view = await read(`payouts/${id}`);
  expect([view.status, view.batchId, await clearing(), await unsure()]).toEqual(['approved', null, 0, 1]);
  expect((await decide(id, 'reject')).json().status).toBe('rejected');
  expect([await available(), await unsure()]).toEqual([3_000, 0]);
});

test('a report of an operator about a PayPal payout books only what PayPal says', async () => {
  const made = [await approved(30), await approved(40), await approved(50), await approved(60)];
  const [one = '', two = '', three = '', four = ''] = made.map(({ id }) => id);
  await (await handOver())();
  const stepped = async (id: string, what: string) => {
    const { statusCode, body } = await step(id, what);
    return [statusCode, JSON.parse(body).transfer ?? JSON.parse(body).message];
  };
  const onItsWay = [409, expect.stringContaining('in transit')];
  for (const what of ['failed', 'returned', 'paid']) expect(await stepped(one, what)).toEqual(onItsWay);
  service.is('down');
  expect(await stepped(one, 'failed')).toEqual([502, expect.stringContaining('isn’t responding')]);
  service.is('well');
  expect(await clearing()).toBe(18_000);
  service.tell(one, 'SUCCESS');
  expect(await stepped(one, 'failed')).toEqual([200, 'processed']);
  expect((await stepped(one, 'returned'))[0]).toBe(200);
  expect((await read(`payouts/${one}`)).status).toBe('transfered');
  service.tell(two, 'UNCLAIMED');
  expect(await stepped(two, 'paid')).toEqual(onItsWay);
  expect(await stepped(two, 'returned')).toEqual([200, 'failed']);
  expect([await made[1]?.available(), isAtPayPal(two)]).toEqual([4_000, true]);
  service.tell(three, 'FAILED', 'RECEIVER_ACCOUNT_LOCKED');
  expect(await stepped(three, 'paid')).toEqual([200, 'failed']);
  expect(await clearing()).toBe(6_000);
  await chase(app.ctx);
  for (const batch of service.batches)
    batch.items = batch.items.filter((item) => item.payout_item.sender_item_id !== four);
  expect(await stepped(four, 'failed')).toEqual([200, 'failed']);
  expect([await made[3]?.available(), await clearing()]).toEqual([6_000, 0]);
  const acts = (await read(`audit?subjectId=${two}`)).data.map(({ act }: { act: string }) => act);
  expect(acts[0]).toBe('payout.asked');
});

test('a mistyped blockchain transaction id can be replaced, and the audit log retains the old one', async () => {
  const { id } = await approved(60, BITCOIN);
  const { id: unsent } = await requested(60, BITCOIN);
  await sendAll('crypto');
  const [first, second_] = ['a'.repeat(64), 'b'.repeat(64)];
  const note = (reference: string) =>
    second.inject('POST', `/api/admin/payouts/${id}/transfer`, { step: 'broadcast', reference, ground });
  const correct = (from: string, to: string, which = id) =>
    operator.inject('POST', `/api/admin/payouts/${which}/reference`, { from, to, ground });
  expect((await correct(first, second_)).statusCode).toBe(409);
  for (const wrong of ['a'.repeat(63), `0x${first}`, 'g'.repeat(64)]) expect((await note(wrong)).statusCode).toBe(400);
  expect((await note(first)).statusCode).toBe(200);
  expect((await correct(first, 'typo')).statusCode).toBe(400);
  const both = await Promise.all([correct(first, second_), correct(first, 'c'.repeat(64))]);
  expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  expect((await correct(second_, first, unsent)).statusCode).toBe(409);
  expect((await correct(second_, first, randomUUID())).statusCode).toBe(404);
  const [entry] = (await read(`audit?subjectId=${id}&act=payout.reference`)).data;
  const to = (await read(`payouts/${id}`)).reference;
  expect(JSON.stringify(entry)).toContain(first);
  expect([second_, 'c'.repeat(64)]).toContain(to);
  expect((await step(id, 'paid')).json()).toMatchObject({ status: 'transfered', reference: to });
});

test.each([
  ['takes it and names no batch', ['mute']],
  ['refuses an id that it knows without naming the batch', ['lost', 'strict']],
] as const)('PayPal %s: no money is returned', async (_, moods) => {
  const { id, seen, available } = await approved(30);
  const ask = await handOver();
  for (const mood of moods) {
    service.is(mood);
    await ask();
  }
  expect([isAtPayPal(id), await batchState(), await available()]).toEqual([true, 'unknown', 0]);
  service.is('well');
  await ask();
  service.tell(id, 'SUCCESS');
  await chase(app.ctx);
  expect((await seen()).status).toBe('transfered');
});

test('a batch that PayPal denies after taking it is sent again, even without a list of items', async () => {
  const { id, seen, available } = await approved(30);
  await (await handOver())();
  const batch = service.batches.find(({ items }) => items[0]?.payout_item.sender_item_id === id);
  if (batch) batch.status = 'DENIED';
  await chase(app.ctx);
  expect([(await seen()).transfer, await available(), await batchState()]).toEqual(['pending', 0, 'refused']);
  await (await handOver())();
  service.tell(id, 'SUCCESS', undefined);
  await chase(app.ctx);
  expect((await seen()).status).toBe('transfered');
});

test('an operator who raises the limit cannot approve alone what needed two approvals', async () => {
  const { id } = await requested(2_000);
  const settings = (await operator.inject('GET', '/api/admin/payout-settings')).json();
  const set = (before: number, secondApprover: number) =>
    operator.inject('PUT', '/api/admin/payout-settings', {
      from: { ...settings, secondApprover: before },
      to: { ...settings, secondApprover },
      ground: 'More is asked for',
    });
  const decideLimit = (decision: string, to: number, by: TestUser) =>
    by.inject('POST', '/api/admin/wanted-settings/secondApprover/decision', {
      decision,
      to,
      ground: 'We spoke about it',
    });
  const raised = (await set(settings.secondApprover, 5_000)).json();
  expect(raised).toMatchObject({ secondApprover: settings.secondApprover });
  const own = await decideLimit('confirm', 5_000, operator);
  expect([own.statusCode, own.json().message]).toEqual([409, 'You requested this. Another operator must confirm it.']);
  expect((await decideLimit('confirm', 4_000, second)).statusCode).toBe(409);
  expect((await decideLimit('refuse', 5_000, second)).json()).toEqual({ data: [] });
  await set(settings.secondApprover, 5_000);
  expect((await decideLimit('confirm', 5_000, second)).json()).toEqual({ data: [] });
  expect((await decide(id, 'approve')).json()).toMatchObject({ status: 'inreview', approvalsNeeded: 2 });
  expect((await decide(id, 'approve', second)).json().status).toBe('approved');
  const later = await requested(2_000);
  expect((await decide(later.id, 'approve')).json()).toMatchObject({ status: 'approved', approvalsNeeded: 1 });
  await set(5_000, settings.secondApprover);
});

test('a payout list is safe in every spreadsheet, and the mask hides a short account number', async () => {
  const { seen } = await approved(20, {
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
  expect((await seen()).method.words).toBe('Checking Account abroad ending in 11, DEUTDEFF');
});
