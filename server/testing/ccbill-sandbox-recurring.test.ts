/** Subscriptions in the sandbox of the card processor: its form, its clock, its webhooks and DataLink. */
import { afterEach, describe, expect, test } from 'vitest';
import { buildPaymentUrl, getMerchant } from '../modules/commerce/ccbill/index.ts';
import { listStoredWebhooks } from '../modules/commerce/deposits/testing.ts';
import { type SandboxPayment, setUpSandboxTest } from './ccbill-sandbox.ts';

const sandbox = setUpSandboxTest({ hasWorkers: false });
const { control, submit, waitUntilDelivered, getDataLink } = sandbox;
let orders = 0;

afterEach(() => control({ behaviour: {} }));

const TERMS = { priceCents: 1_224, periodDays: 30, rebills: 99 };
function createOrderPage(recurring = TERMS): string {
  orders += 1;
  const merchant = getMerchant(sandbox.app.ctx.config);
  return buildPaymentUrl(`${sandbox.origin}/sandbox/ccbill`, merchant, {
    priceCents: 1_224,
    orderId: `r${orders}`,
    recurring,
  });
}

async function getPayment(orderId = `r${orders}`): Promise<SandboxPayment> {
  const found = (await control({})).payments.find((one) => one.orderId === orderId);
  if (!found) throw new Error('the sandbox does not know the payment');
  return found;
}
async function sell(recurring = TERMS): Promise<string> {
  expect((await submit(createOrderPage(recurring))).status).toBe(303);
  return (await getPayment()).subscriptionId;
}
/** Lists the types of all stored webhooks of a subscription. */
async function listEvents(subscriptionId: string): Promise<string[]> {
  await waitUntilDelivered();
  const rows = await sandbox.app.ctx.db.query
    .selectFrom('processor_webhooks')
    .select('event_type')
    .where('processor_subscription_id', '=', subscriptionId)
    .execute();
  return rows.map((row) => row.event_type ?? '').toSorted();
}

describe('the payment page of a subscription', () => {
  test('shows the renewals', async () => {
    const html = await (await fetch(createOrderPage())).text();
    expect(html).toContain('Then every 30 days, until you cancel');
    expect(html).toContain('$12.24');
  });

  test('refuses terms that do not match the digest', async () => {
    for (const [name, value] of [
      ['recurringPrice', '2.95'],
      ['recurringPeriod', '365'],
      ['initialPeriod', '365'],
      ['numRebills', '1'],
      ['numRebills', '100'],
      ['recurringPrice', '12.2'],
      ['recurringPeriod', ''],
    ] as const) {
      const url = new URL(createOrderPage());
      url.searchParams.set(name, value);
      expect((await submit(url.toString())).status).toBe(400);
    }
    const single = new URL(createOrderPage());
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
    const [webhook] = await listStoredWebhooks(sandbox.app, recurring?.renewals[0] ?? '');
    expect(webhook?.fields).toMatchObject({ subscriptionId: id, billedAmount: '12.24', billedCurrencyCode: '840' });
    expect(await getDataLink().status(id)).toMatchObject({ status: 2, isRecurring: true, timesRebilled: 3 });
  });

  test('declines renewals while the card is set to be declined', async () => {
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
])('webhooks of renewals can be sent %s', async (_, behaviour) => {
  const id = await sell();
  await waitUntilDelivered();
  await control({ behaviour, clock: { advanceDays: 61 } });
  await control({ release: true });
  expect(await listEvents(id)).toEqual(['NewSaleSuccess', 'RenewalSuccess', 'RenewalSuccess']);
});

test('the control route sends any event in any state of the subscription', async () => {
  const id = await sell();
  const events = ['Expiration', 'RenewalSuccess', 'UserReactivation', 'Cancellation', 'RenewalFailure'];
  for (const event of events) await control({ trigger: { event, subscriptionId: id } });
  await control({ trigger: { event: 'BillingDateChange', subscriptionId: id, nextRenewalDate: '2030-01-31' } });
  await control({ trigger: { event: 'Chargeback', subscriptionId: id } });
  expect(await listEvents(id)).toEqual([...events, 'BillingDateChange', 'Chargeback', 'NewSaleSuccess'].toSorted());
  const { recurring } = await getPayment();
  expect(recurring).toMatchObject({ nextRenewalDate: '2030-01-31' });
  const reversed = await listStoredWebhooks(sandbox.app, recurring?.renewals[0] ?? '');
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

  test('may respond to a cancellation without a clear result', async () => {
    const id = await sell();
    await control({ behaviour: { cancelUnanswered: true } });
    expect(await getDataLink().cancel(id)).toMatchObject({ outcome: 'unknown' });
    expect(await getDataLink().status(id)).toMatchObject({ status: 2 });
    expect(await getDataLink().cancel('0999')).toMatchObject({ outcome: 'refused', code: -3 });
  });

  test('exports renewals', async () => {
    const id = await sell();
    await control({ trigger: { event: 'RenewalSuccess', subscriptionId: id } });
    const at = sandbox.app.clock.now().getTime();
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
