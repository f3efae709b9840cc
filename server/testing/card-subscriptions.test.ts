/** Subscriptions by card, from the form of the processor's sandbox to the books, with the clock of the sandbox. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { findDataLink } from '../modules/commerce/ccbill/index.ts';
import {
  getRecurringPayment,
  listPaidDeposits,
  requireCleanLedger,
  waitUntil,
} from '../modules/commerce/deposits/testing.ts';
import { reconcile } from '../modules/commerce/reconciliation/reconcile.ts';
import { createTestTier, getSubscription, listPeriods } from '../modules/content/subscriptions/testing.ts';
import { listDifferences } from '../modules/ledger/ledger-checks/index.ts';
import { createTestApp, type TestApp, type TestUser } from './app.ts';
import { findFreePort } from './processes.ts';

const controlState = z.object({ pending: z.number() });
const CARD = { cardNumber: '4111 1111 1111 1111', expDate: '12/30', cvv: '123' };

let app: TestApp;
let origin: string;

beforeAll(async () => {
  const port = await findFreePort();
  app = await createTestApp({ env: { PORT: String(port) } });
  await app.app.http.listen({ port, host: '127.0.0.1' });
  origin = `http://127.0.0.1:${port}`;
  app.ctx.events.start();
  await app.ctx.jobs.start();
});
afterAll(() => app.close());

async function control(body: unknown): Promise<number> {
  const answer = await fetch(`${origin}/sandbox/ccbill/control`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(200);
  return controlState.parse(await answer.json()).pending;
}

type Started = { fan: TestUser; depositId: string; orderId: string; id: string };

async function order(): Promise<Omit<Started, 'id'> & { page: string }> {
  const tierId = await createTestTier(await app.signUp('creator'));
  const fan = await app.signUp('customer');
  const body = { tierId, recurrence: 'monthaly', count: 1, expected: 12.24 };
  const headers = { 'idempotency-key': randomUUID() };
  const response = await fan.inject('POST', '/api/customer/subscriptions/card', body, headers);
  expect(response.statusCode, response.body).toBe(200);
  const { paymentUrl, depositId } = response.json<{ paymentUrl: string; depositId: string }>();
  const orderId = new URL(paymentUrl).searchParams.get('orderId') ?? '';
  return { fan, depositId, orderId, page: paymentUrl.replace(app.ctx.config.publicUrl, origin) };
}

const submit = (page: string, card: Record<string, string> = CARD) =>
  fetch(page, { method: 'POST', redirect: 'manual', body: new URLSearchParams(card) });

const listOwn = async (fan: TestUser) =>
  (await fan.inject('GET', '/api/customer/subscriptions')).json<{ data: { id: string }[] }>().data;

async function subscribe(): Promise<Started> {
  const { page, ...started } = await order();
  await submit(page);
  const [own] = await waitUntil(async () => {
    const all = await listOwn(started.fan);
    return all.length > 0 && all;
  }, 'the subscription');
  return { ...started, id: own?.id ?? '' };
}
const waitForPeriods = (id: string, count: number) =>
  waitUntil(async () => (await listPeriods(app, id)).length === count, `${count} periods`);

test('a year of renewals is sold period by period, and the books match', async () => {
  const { fan, depositId, id } = await subscribe();
  const returned = await fan.inject('GET', `/api/customer/deposit/${depositId}`);
  expect(returned.json()).toMatchObject({ status: 'success', isSubscription: true, paid: 12.24 });
  await control({ behaviour: { duplicates: 1 }, clock: { advanceDays: 366 } });
  await waitForPeriods(id, 13);
  await control({ behaviour: {} });
  expect(await listPaidDeposits(app, fan.id)).toHaveLength(13);
  expect((await fan.inject('GET', '/api/customer/wallet')).json()).toMatchObject({ available: 0 });
  await requireCleanLedger(app);
});

test('a declined card starts nothing, and the form can be sent again', async () => {
  const { fan, page, depositId } = await order();
  const status = async () =>
    (await fan.inject('GET', `/api/customer/deposit/${depositId}`)).json<{ status: string }>().status;
  await submit(page, { ...CARD, cardNumber: '4000000000000002' });
  await waitUntil(async () => (await status()) === 'failed', 'the decline');
  expect(await listOwn(fan)).toEqual([]);
  await submit(page);
  await waitUntil(async () => (await listOwn(fan)).length === 1, 'the subscription');
});

test('renewals before the first webhook, and in another order, are sold once each', async () => {
  const { fan, page } = await order();
  await control({ behaviour: { reorder: true } });
  await submit(page);
  await control({ clock: { advanceDays: 61 } });
  await control({ behaviour: {}, release: true });
  const own = await waitUntil(async () => (await listOwn(fan))[0], 'the subscription');
  await waitForPeriods(own.id, 3);
  await requireCleanLedger(app);
});

test('a cancellation by the fan reaches the processor, which then charges no more', async () => {
  const { fan, id, depositId } = await subscribe();
  await fan.inject('POST', `/api/customer/subscriptions/${id}/cancel`, {});
  const [deposit] = await listPaidDeposits(app, fan.id);
  expect(deposit?.id).toBe(depositId);
  const cardId = deposit?.processor_subscription_id ?? '';
  await waitUntil(async () => (await getRecurringPayment(app, cardId)).canceled_at !== null, 'the cancellation');
  await control({ clock: { advanceDays: 31 } });
  await waitUntil(async () => (await control({})) === 0, 'the delivery');
  expect(await listPaidDeposits(app, fan.id)).toHaveLength(1);
  expect(await getSubscription(app, id)).toMatchObject({ isRenewing: false });
});

test('an unanswered cancellation is listed for operators until it is confirmed', async () => {
  const { fan, id } = await subscribe();
  await control({ behaviour: { cancelUnanswered: true } });
  await fan.inject('POST', `/api/customer/subscriptions/${id}/cancel`, {});
  const [deposit] = await listPaidDeposits(app, fan.id);
  const cardId = deposit?.processor_subscription_id ?? '';
  await waitUntil(async () => (await getRecurringPayment(app, cardId)).cancel_attempts > 0, 'the first attempt');
  app.clock.advance(2 * 3_600_000);
  const operator = await app.signUp('operator');
  const list = async () => (await operator.inject('GET', '/api/admin/card-cancellations')).json();
  expect(await list()).toMatchObject({ data: [{ subscriptionId: cardId, fan: { id: fan.id } }] });
  await control({ behaviour: {}, trigger: { event: 'Cancellation', subscriptionId: cardId } });
  await waitUntil(async () => (await list()).data.length === 0, 'the confirmation');
});

test('is reconciled with the export, in which each renewal is a row', async () => {
  const { fan, id } = await subscribe();
  const [deposit] = await listPaidDeposits(app, fan.id);
  const cardId = deposit?.processor_subscription_id ?? '';
  await control({ trigger: { event: 'RenewalSuccess', subscriptionId: cardId } });
  await waitForPeriods(id, 2);
  app.clock.advance(27 * 3_600_000);
  const dataLink = findDataLink(app.ctx);
  if (!dataLink) throw new Error('the sandbox has credentials');
  await reconcile(app.ctx, { dataLink });
  const { rows } = await listDifferences(app.ctx.db, 'open', { limit: 50, skip: 0 });
  expect(rows.filter(({ key }) => key === cardId)).toEqual([]);
});
