/** Subscriptions by card, from the payment page of the sandbox to reconciliation. */
import { expect, test } from 'vitest';
import {
  getDepositRow,
  getRecurringPayment,
  listPaidDeposits,
  requireCleanLedger,
  waitUntil,
} from '../modules/commerce/deposits/testing.ts';
import { reconcile } from '../modules/commerce/reconciliation/reconcile.ts';
import { placeOrder } from '../modules/content/subscriptions/card.testing.ts';
import { createTestTier, getSubscription, listPeriods } from '../modules/content/subscriptions/testing.ts';
import { listDifferences } from '../modules/ledger/ledger-checks/index.ts';
import type { TestUser } from './app.ts';
import { CARD, setUpSandboxTest } from './ccbill-sandbox.ts';

const sandbox = setUpSandboxTest();
const { control, submit } = sandbox;

async function order() {
  const tierId = await createTestTier(await sandbox.app.signUp('creator'));
  const fan = await sandbox.app.signUp('customer');
  const { paymentUrl, depositId } = await placeOrder(fan, tierId);
  return { fan, depositId, page: sandbox.toPage(paymentUrl) };
}

const listOwn = async (fan: TestUser) =>
  (await fan.inject('GET', '/api/customer/subscriptions')).json<{ data: { id: string }[] }>().data;

const waitForSubscription = (fan: TestUser) => waitUntil(async () => (await listOwn(fan))[0], 'the subscription');

/** `cardId` is the id of the subscription at the processor. */
async function subscribe() {
  const { page, fan, depositId } = await order();
  await submit(page);
  const { id } = await waitForSubscription(fan);
  const cardId = (await getDepositRow(sandbox.app, depositId)).processor_subscription_id ?? '';
  return { fan, depositId, id, cardId };
}
const waitForPeriods = (id: string, count: number) =>
  waitUntil(async () => (await listPeriods(sandbox.app, id)).length === count, `${count} periods`);

test('a year of renewals is sold period by period, and the ledger is consistent', async () => {
  const { fan, depositId, id } = await subscribe();
  const returned = await fan.inject('GET', `/api/customer/deposit/${depositId}`);
  expect(returned.json()).toMatchObject({ status: 'success', isSubscription: true, paid: 12.24 });
  await control({ behaviour: { duplicates: 1 }, clock: { advanceDays: 366 } });
  await waitForPeriods(id, 13);
  await control({ behaviour: {} });
  expect(await listPaidDeposits(sandbox.app, fan.id)).toHaveLength(13);
  expect((await fan.inject('GET', '/api/customer/wallet')).json()).toMatchObject({ available: 0 });
  await requireCleanLedger(sandbox.app);
});

test('a declined card starts no subscription, and the fan can try another card', async () => {
  const { fan, page, depositId } = await order();
  const status = async () =>
    (await fan.inject('GET', `/api/customer/deposit/${depositId}`)).json<{ status: string }>().status;
  await submit(page, { ...CARD, cardNumber: '4000000000000002' });
  await waitUntil(async () => (await status()) === 'failed', 'the decline');
  expect(await listOwn(fan)).toEqual([]);
  await submit(page);
  await waitForSubscription(fan);
});

test('renewals that are reported before the first payment and out of order are sold once each', async () => {
  const { fan, page } = await order();
  await control({ behaviour: { reorder: true } });
  await submit(page);
  await control({ clock: { advanceDays: 61 } });
  await control({ behaviour: {}, release: true });
  await waitForPeriods((await waitForSubscription(fan)).id, 3);
  await requireCleanLedger(sandbox.app);
});

test('a cancellation by the fan reaches the processor, which then charges no more', async () => {
  const { fan, id, cardId } = await subscribe();
  await fan.inject('POST', `/api/customer/subscriptions/${id}/cancel`, {});
  await waitUntil(
    async () => (await getRecurringPayment(sandbox.app, cardId)).canceled_at !== null,
    'the cancellation',
  );
  await control({ clock: { advanceDays: 31 } });
  await sandbox.waitUntilDelivered();
  expect(await listPaidDeposits(sandbox.app, fan.id)).toHaveLength(1);
  expect(await getSubscription(sandbox.app, id)).toMatchObject({ isRenewing: false });
});

test('an unanswered cancellation is listed for operators until it is confirmed', async () => {
  const { fan, id, cardId } = await subscribe();
  await control({ behaviour: { cancelUnanswered: true } });
  await fan.inject('POST', `/api/customer/subscriptions/${id}/cancel`, {});
  await waitUntil(
    async () => (await getRecurringPayment(sandbox.app, cardId)).cancel_attempts > 0,
    'the first attempt',
  );
  sandbox.app.clock.advance(2 * 3_600_000);
  const operator = await sandbox.app.signUp('operator');
  const list = async () => (await operator.inject('GET', '/api/admin/card-cancellations')).json();
  expect(await list()).toMatchObject({ data: [{ subscriptionId: cardId, fan: { id: fan.id } }] });
  await control({ behaviour: {}, trigger: { event: 'Cancellation', subscriptionId: cardId } });
  await waitUntil(async () => (await list()).data.length === 0, 'the confirmation');
});

test('renewals match the export of the processor', async () => {
  const { id, cardId } = await subscribe();
  await control({ trigger: { event: 'RenewalSuccess', subscriptionId: cardId } });
  await waitForPeriods(id, 2);
  sandbox.app.clock.advance(27 * 3_600_000);
  await reconcile(sandbox.app.ctx, { dataLink: sandbox.getDataLink() });
  const { rows } = await listDifferences(sandbox.app.ctx.db, 'open', { limit: 50, skip: 0 });
  expect(rows.filter(({ key }) => key === cardId)).toEqual([]);
});
