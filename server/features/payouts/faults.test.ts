/** What goes wrong between approval and arrival: a service that contradicts, says half or nothing, a process that is killed, a hand too early. */
import { randomUUID } from 'node:crypto';
import type { PayoutDetails } from '@stagedoor/contract/payouts.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../testing/app.ts';
import { account, balanceOf } from '../ledger/index.ts';
import { openPayPal } from './paypal.testing.ts';
import { chase, submit } from './submit.ts';
import { addMethod, payee, requestIt, requireCleanBooks } from './testing.ts';

const PAYPAL: PayoutDetails = { kind: 'paypal', email: 'jane@example.com' };
const ground = 'looked at the papers';

let app: TestApp;
let service: Awaited<ReturnType<typeof openPayPal>>;
let operator: TestUser;
let second: TestUser;
beforeAll(async () => {
  service = await openPayPal();
  const env = { PAYPAL_URL: service.url, PAYPAL_CLIENT_ID: 'client', PAYPAL_CLIENT_SECRET: 'secret' };
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
const step = (id: string, what: string) =>
  operator.inject('POST', `/api/admin/payouts/${id}/transfer`, { step: what, ground });
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
/** Sends all that is approved; answers how PayPal is asked to take it, as often as that is due. */
async function handOver() {
  const { id } = (await sendAll('paypal')).json<{ id: string }>();
  return () => submit(app.ctx, id).catch((error: unknown) => error);
}
const batchState = async () => (await operator.inject('GET', '/api/admin/payout-batches?limit=1')).json().data[0].state;
const isAtPayPal = (id: string) =>
  service.batches.some(({ items }) => items.some(({ payout_item: item }) => item.sender_item_id === id));

test('nothing is given back by hand while PayPal is still being asked to send it', async () => {
  const { id, available } = await approved(30);
  service.is('down');
  const ask = await handOver();
  for (const state of ['sending', 'unknown']) {
    expect(await batchState()).toBe(state);
    const told = await step(id, 'failed');
    expect([told.statusCode, told.json().message]).toEqual([409, expect.stringContaining('still being asked')]);
    await ask();
  }
  expect([isAtPayPal(id), await available()]).toEqual([false, 0]);
  // Nobody asks any more once PayPal would take the same id for another sending.
  app.clock.advance(30 * 86_400_000);
  operator = await app.signUp('operator');
  service.is('well');
  await ask();
  expect(isAtPayPal(id)).toBe(false);
  expect((await step(id, 'failed')).statusCode).toBe(200);
  expect(await available()).toBe(3_000);
});

test('what PayPal refused comes back whole, also when the process is killed halfway', async () => {
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
  expect(await batchState()).toBe('refused');
  for (const { seen, available } of [one, two])
    expect([(await seen()).transfer, (await available()) > 0]).toEqual(['failed', true]);
});

test.each([
  ['takes it and names no batch', ['mute']],
  ['refuses an id that it knows without naming the batch', ['lost', 'strict']],
] as const)('PayPal %s: no money is given back', async (_, moods) => {
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

test('of a batch that PayPal denied after taking it all comes back, though it names no item', async () => {
  const { id, seen, available } = await approved(30);
  await (await handOver())();
  const batch = service.batches.find(({ items }) => items[0]?.payout_item.sender_item_id === id);
  if (batch) batch.status = 'DENIED';
  await chase(app.ctx);
  expect([(await seen()).transfer, await available()]).toEqual(['failed', 3_000]);
});

test('who raises the limit does not approve alone what waited for two', async () => {
  const { id } = await requested(2_000);
  const settings = (await operator.inject('GET', '/api/admin/payout-settings')).json();
  const set = (before: number, secondApprover: number) =>
    operator.inject('PUT', '/api/admin/payout-settings', {
      from: { ...settings, secondApprover: before },
      to: { ...settings, secondApprover },
    });
  await set(settings.secondApprover, 5_000);
  expect((await decide(id, 'approve')).json()).toMatchObject({ status: 'inreview', approvalsNeeded: 2 });
  expect((await decide(id, 'approve', second)).json().status).toBe('approved');
  const later = await requested(2_000);
  expect((await decide(later.id, 'approve')).json()).toMatchObject({ status: 'approved', approvalsNeeded: 1 });
  await set(5_000, settings.secondApprover);
});

test('a list is safe in every spreadsheet, and a short account is not told by its mask', async () => {
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
