/** Subscriptions in the sandbox of the card processor: its form, its clock, its webhooks and DataLink. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { buildPaymentUrl, findDataLink, getMerchant } from '../modules/commerce/ccbill/index.ts';
import { listStoredWebhooks, waitUntil } from '../modules/commerce/deposits/testing.ts';
import { createTestApp, type TestApp } from './app.ts';
import { findFreePort } from './processes.ts';

const payment = z.object({
  subscriptionId: z.string(),
  orderId: z.string(),
  recurring: z.optional(z.object({ status: z.string(), nextRenewalDate: z.string(), renewals: z.array(z.string()) })),
});
const controlState = z.object({ pending: z.number(), aheadDays: z.number(), payments: z.array(payment) });

let app: TestApp;
let origin: string;
let orders = 0;

beforeAll(async () => {
  const port = await findFreePort();
  app = await createTestApp({ env: { PORT: String(port) } });
  await app.app.http.listen({ port, host: '127.0.0.1' });
  origin = `http://127.0.0.1:${port}`;
});
afterAll(() => app.close());
afterEach(() => control({ behaviour: {} }));

async function control(body: unknown): Promise<z.infer<typeof controlState>> {
  const answer = await fetch(`${origin}/sandbox/ccbill/control`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(200);
  return controlState.parse(await answer.json());
}

const TERMS = { priceCents: 1_224, periodDays: 30, rebills: 99 };
function toPage(recurring = TERMS): string {
  orders += 1;
  const merchant = getMerchant(app.ctx.config);
  return buildPaymentUrl(`${origin}/sandbox/ccbill`, merchant, { priceCents: 1_224, orderId: `r${orders}`, recurring });
}
const CARD = { cardNumber: '4111 1111 1111 1111', expDate: '12/30', cvv: '123' };
const submit = (page: string) => fetch(page, { method: 'POST', redirect: 'manual', body: new URLSearchParams(CARD) });

async function getPayment(orderId = `r${orders}`): Promise<z.infer<typeof payment>> {
  const found = (await control({})).payments.find((one) => one.orderId === orderId);
  if (!found) throw new Error('the sandbox does not know the payment');
  return found;
}
async function sell(recurring = TERMS): Promise<string> {
  expect((await submit(toPage(recurring))).status).toBe(303);
  return (await getPayment()).subscriptionId;
}
async function waitUntilDelivered(): Promise<void> {
  await waitUntil(async () => (await control({})).pending === 0, 'the delivery');
}
/** All webhooks of a subscription, as they were stored. */
async function listEvents(subscriptionId: string): Promise<string[]> {
  await waitUntilDelivered();
  const rows = await app.ctx.db.query
    .selectFrom('processor_webhooks')
    .select(['event_type', 'processor_transaction_id'])
    .where('processor_subscription_id', '=', subscriptionId)
    .execute();
  return rows.map((row) => row.event_type ?? '').toSorted();
}
function getDataLink() {
  const dataLink = findDataLink(app.ctx);
  if (!dataLink) throw new Error('the sandbox has credentials');
  return dataLink;
}

describe('the payment page of a subscription', () => {
  test('shows the renewals', async () => {
    const html = await (await fetch(toPage())).text();
    expect(html).toContain('Then every 30 days, until you cancel');
    expect(html).toContain('$12.24');
  });

  test('refuses terms that were changed on the way', async () => {
    for (const [name, value] of [
      ['recurringPrice', '2.95'],
      ['recurringPeriod', '365'],
      ['initialPeriod', '365'],
      ['numRebills', '1'],
      ['numRebills', '100'],
      ['recurringPrice', '12.2'],
      ['recurringPeriod', ''],
    ] as const) {
      const url = new URL(toPage());
      url.searchParams.set(name, value);
      expect((await submit(url.toString())).status).toBe(400);
    }
    const single = new URL(toPage());
    for (const name of ['recurringPrice', 'recurringPeriod', 'numRebills']) single.searchParams.delete(name);
    expect((await submit(single.toString())).status).toBe(400);
  });
});

describe('the clock', () => {
  test('renews each time that a period has passed', async () => {
    const id = await sell();
    await control({ clock: { advanceDays: 95 } });
    const { recurring } = await getPayment();
    expect(recurring?.renewals).toHaveLength(3);
    expect(await listEvents(id)).toEqual(['NewSaleSuccess', 'RenewalSuccess', 'RenewalSuccess', 'RenewalSuccess']);
    const [webhook] = await listStoredWebhooks(app, recurring?.renewals[0] ?? '');
    expect(webhook?.fields).toMatchObject({ subscriptionId: id, billedAmount: '12.24', billedCurrencyCode: '840' });
    expect(await getDataLink().status(id)).toMatchObject({ status: 2, isRecurring: true, timesRebilled: 3 });
  });

  test('declines renewals until the card works again', async () => {
    const id = await sell();
    await control({ behaviour: { declineRenewals: true }, clock: { advanceDays: 31 } });
    expect(await listEvents(id)).toEqual(['NewSaleSuccess', 'RenewalFailure']);
    await control({ behaviour: {}, clock: { advanceDays: 3 } });
    expect(await listEvents(id)).toEqual(['NewSaleSuccess', 'RenewalFailure', 'RenewalSuccess']);
  });

  test('expires a subscription after its last renewal', async () => {
    const id = await sell({ ...TERMS, rebills: 1 });
    await control({ clock: { advanceDays: 61 } });
    expect(await listEvents(id)).toEqual(['Expiration', 'NewSaleSuccess', 'RenewalSuccess']);
    expect((await getPayment()).recurring?.status).toBe('expired');
  });
});

test.each([
  ['three times', { duplicates: 2 }],
  ['in another order', { reorder: true }],
])('webhooks of renewals come %s', async (_, behaviour) => {
  const id = await sell();
  await waitUntilDelivered();
  await control({ behaviour, clock: { advanceDays: 61 } });
  await control({ release: true });
  expect(await listEvents(id)).toEqual(['NewSaleSuccess', 'RenewalSuccess', 'RenewalSuccess']);
});

test('any event is sent on request, whatever happened before', async () => {
  const id = await sell();
  const events = ['Expiration', 'RenewalSuccess', 'UserReactivation', 'Cancellation', 'RenewalFailure'];
  for (const event of events) await control({ trigger: { event, subscriptionId: id } });
  await control({ trigger: { event: 'BillingDateChange', subscriptionId: id, nextRenewalDate: '2030-01-31' } });
  await control({ trigger: { event: 'Chargeback', subscriptionId: id } });
  expect(await listEvents(id)).toEqual([...events, 'BillingDateChange', 'Chargeback', 'NewSaleSuccess'].toSorted());
  const { recurring } = await getPayment();
  expect(recurring).toMatchObject({ nextRenewalDate: '2030-01-31' });
  const reversed = await listStoredWebhooks(app, recurring?.renewals[0] ?? '');
  expect(reversed.map((row) => row.event_type)).toContain('Chargeback');
});

describe('DataLink', () => {
  test('cancels a subscription, which then expires instead of renewing', async () => {
    const id = await sell();
    expect(await getDataLink().cancel(id)).toEqual({ outcome: 'done' });
    expect(await getDataLink().status(id)).toMatchObject({ status: 1, canceledAt: expect.any(Date) });
    expect(await getDataLink().cancel(id)).toMatchObject({ outcome: 'refused', code: 0 });
    await control({ clock: { advanceDays: 31 } });
    expect(await listEvents(id)).toEqual(['Cancellation', 'Expiration', 'NewSaleSuccess']);
  });

  test('may give no clear answer to a cancellation', async () => {
    const id = await sell();
    await control({ behaviour: { cancelUnanswered: true } });
    expect(await getDataLink().cancel(id)).toMatchObject({ outcome: 'unknown' });
    expect(await getDataLink().status(id)).toMatchObject({ status: 2 });
    expect(await getDataLink().cancel('0999')).toMatchObject({ outcome: 'refused', code: -3 });
  });

  test('exports renewals', async () => {
    const id = await sell();
    await control({ trigger: { event: 'RenewalSuccess', subscriptionId: id } });
    const at = app.clock.now().getTime();
    const { rows, unreadable } = await getDataLink().exportRows(new Date(at - 3_600_000), new Date(at + 3_600_000));
    expect(unreadable).toEqual([]);
    expect(rows.filter((row) => row.subscriptionId === id)).toMatchObject([
      { type: 'NEW', amountCents: 1_224 },
      { type: 'REBILL', amountCents: 1_224 },
    ]);
  });

  test('refunds the last renewal, and the subscription expires', async () => {
    const id = await sell();
    await control({ trigger: { event: 'RenewalSuccess', subscriptionId: id } });
    expect(await getDataLink().refund(id, 1_224)).toEqual({ outcome: 'done' });
    expect(await listEvents(id)).toEqual(['Expiration', 'NewSaleSuccess', 'Refund', 'RenewalSuccess']);
    expect(await getDataLink().status(id)).toMatchObject({ status: 0, refundsIssued: 1 });
  });
});
