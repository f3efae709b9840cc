import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../../testing/app.ts';
import { createProcessorId, postWebhook } from '../../commerce/ccbill/testing.ts';
import { getRecurringPayment, listPaidDeposits, listStoredWebhooks } from '../../commerce/deposits/testing.ts';
import {
  buildFirstPayment,
  buildRenewal,
  createCardScene,
  mockDataLink,
  payFirst,
  placeOrder,
  postCardReversal,
  postEvent,
  renewByCard,
  runProcessorJobs,
} from './card.testing.ts';
import { renewDueSubscriptions } from './renewals.ts';
import {
  changeSubscription,
  createTestTier,
  DAY_MS,
  expectBalancedLedger,
  getFunds,
  getSubscription,
  listOpenSubjects,
  listPeriods,
} from './testing.ts';

let test: TestApp;
let dataLink: ReturnType<typeof mockDataLink>;

beforeAll(async () => {
  const env = { CCBILL_MIN_USD: '4', CCBILL_MAX_USD: '100' };
  test = await createTestApp({ now: new Date('2024-01-31T12:00:00Z'), env });
});
afterAll(() => test.close());
beforeEach(() => {
  dataLink = mockDataLink();
});
afterEach(() => expectBalancedLedger(test));

const countDeposits = async (fan: { id: string }) => (await listPaidDeposits(test, fan.id)).length;
const getReason = async (transactionId: string) => (await listStoredWebhooks(test, transactionId)).at(-1)?.reason;
const getState = async (transactionId: string) => (await listStoredWebhooks(test, transactionId)).at(-1)?.state;

describe('the end of renewals', () => {
  it.each(['Cancellation', 'Expiration'])('%s at the processor keeps the paid period', async (event) => {
    const { fan, cardId, subscriptionId } = await createCardScene(test);
    for (let n = 0; n < 2; n += 1) await postEvent(test, event, cardId);
    expect(await getSubscription(test, subscriptionId)).toMatchObject({ state: 'active', isRenewing: false });
    test.clock.advance(30 * DAY_MS);
    await renewDueSubscriptions(test.ctx);
    expect(await getSubscription(test, subscriptionId)).toMatchObject({ state: 'ended', endReason: 'canceled' });
    expect(await listOpenSubjects(test, fan)).toEqual([]);
    await runProcessorJobs(test);
    expect(dataLink.canceled).not.toContain(cardId);
  });

  it('by the fan stops at once, and a job cancels at the processor', async () => {
    const { fan, cardId, subscriptionId } = await createCardScene(test);
    dataLink.isDown = true;
    expect((await changeSubscription(test, fan, subscriptionId, 'cancel')).json()).toMatchObject({ isRenewing: false });
    await test.ctx.events.waitUntilIdle();
    await runProcessorJobs(test);
    const find = () => getRecurringPayment(test, cardId);
    expect(await find()).toMatchObject({ canceled_at: null, cancel_attempts: 1, cancel_problem: expect.any(String) });
    dataLink.isDown = false;
    test.clock.advance(20 * 60_000);
    await test.ctx.db.pool.query(`select graphile_worker.add_job('deposits.repeatCancellations', '{}')`);
    await test.ctx.jobs.runDue(['deposits.repeatCancellations']);
    expect((await find()).canceled_at).not.toBeNull();
    expect(dataLink.canceled).toContain(cardId);
  });

  it.each([
    [30, true],
    [7, false],
  ])('comes with a break from spending of %i days if the card would be charged in it: %s', async (days, isCanceled) => {
    const { fan, cardId, subscriptionId } = await createCardScene(test);
    expect((await fan.inject('POST', '/api/customer/break/spending', { days })).statusCode).toBe(200);
    await test.ctx.events.waitUntilIdle();
    await runProcessorJobs(test);
    expect(await getSubscription(test, subscriptionId)).toMatchObject({ state: 'active', isRenewing: !isCanceled });
    expect(dataLink.canceled).toEqual(isCanceled ? [cardId] : []);
  });

  it('is confirmed by the status when the answer to the cancellation is lost', async () => {
    const { fan, cardId, subscriptionId } = await createCardScene(test);
    Object.assign(dataLink, { cancelResult: '-7', status: 1 });
    await changeSubscription(test, fan, subscriptionId, 'cancel');
    await test.ctx.events.waitUntilIdle();
    await runProcessorJobs(test);
    expect((await getRecurringPayment(test, cardId)).canceled_at).not.toBeNull();
  });

  it('keeps a charge in the wallet that was made after the fan canceled, and uses one from before', async () => {
    const { fan, cardId, subscriptionId } = await createCardScene(test);
    test.clock.advance(29 * DAY_MS);
    const before = buildRenewal(test, cardId, createProcessorId());
    test.clock.advance(3_600_000);
    await changeSubscription(test, fan, subscriptionId, 'cancel');
    test.clock.advance(3_600_000);
    await renewByCard(test, cardId);
    expect(await getFunds(test, fan)).toBe(1_200);
    await postWebhook(test, 'RenewalSuccess', before);
    await runProcessorJobs(test);
    expect(await getFunds(test, fan)).toBe(1_200);
    expect(await listPeriods(test, subscriptionId)).toHaveLength(2);
    expect((await changeSubscription(test, fan, subscriptionId, 'resume')).json()).toMatchObject({
      purse: 'balance',
      nextCharge: { amount: 12 },
    });
  });

  it('is undone by a reactivation, and a late cancellation has no effect any more', async () => {
    const { cardId, subscriptionId } = await createCardScene(test);
    await postEvent(test, 'Cancellation', cardId);
    test.clock.advance(DAY_MS);
    const late = new Date(test.clock.now().getTime());
    test.clock.advance(DAY_MS);
    await postWebhook(test, 'UserReactivation', {
      subscriptionId: cardId,
      transactionId: cardId,
      clientAccnum: test.ctx.config.payments.account,
      clientSubacc: test.ctx.config.payments.subaccount,
      nextRenewalDate: new Date(test.clock.now().getTime() + 27 * DAY_MS).toISOString().slice(0, 10),
    });
    expect((await getSubscription(test, subscriptionId)).isRenewing).toBe(true);
    const timestamp = new Date(late.getTime() - 7 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
    await postEvent(test, 'Cancellation', cardId, { timestamp });
    expect((await getSubscription(test, subscriptionId)).isRenewing).toBe(true);
    await renewByCard(test, cardId);
    expect(await listPeriods(test, subscriptionId)).toHaveLength(2);
  });

  it('of a deposit is ignored', async () => {
    const fan = await test.signUp('customer');
    const body = { paymentProvider: 'ccbill', amount: 50 };
    const { depositId } = (await fan.inject('POST', '/api/customer/deposite-fund', body)).json();
    const id = createProcessorId();
    const single = 'http://x/?recurringPrice=0.00&initialPeriod=2&recurringPeriod=0&numRebills=0';
    await postWebhook(test, 'NewSaleSuccess', await buildFirstPayment(test, { depositId, paymentUrl: single }, id));
    await postEvent(test, 'Expiration', id);
    expect(await getState(id)).toBe('ignored');
  });
});

describe('a payment that is not credited', () => {
  it.each<[string, number]>([
    ['of an order that another one paid', 0],
    ['of an order that had expired', 4],
  ])('%s is canceled at the processor, and a renewal until then remains in the wallet', async (_, days) => {
    const fan = await test.signUp('customer');
    const order = await placeOrder(fan, await createTestTier(await test.signUp('creator')));
    if (days === 0) await payFirst(test, order);
    test.clock.advance(days * DAY_MS);
    const second = await payFirst(test, order);
    await runProcessorJobs(test);
    expect(await getState(second)).toBe('quarantined');
    expect(dataLink.canceled).toEqual([second]);
    expect(await getFunds(test, fan)).toBe(0);
    test.clock.advance(30 * DAY_MS);
    dataLink.timesRebilled = 1;
    await renewByCard(test, second);
    await runProcessorJobs(test);
    expect(await getFunds(test, fan)).toBe(1_200);
    expect(dataLink.canceled).toEqual([second, second]);
    await postCardReversal(test, 'Refund', second, second, '12.24');
    expect((await listStoredWebhooks(test, second)).map(({ state }) => state)).toEqual(['refunded', 'processed']);
    expect(await getFunds(test, fan)).toBe(1_200);
  });

  it('is left alone without a digest of the processor', async () => {
    const fan = await test.signUp('customer');
    const order = await placeOrder(fan, await createTestTier(await test.signUp('creator')));
    await payFirst(test, order);
    const fields = await buildFirstPayment(test, order, createProcessorId());
    await postWebhook(test, 'NewSaleSuccess', { ...fields, dynamicPricingValidationDigest: '' });
    await runProcessorJobs(test);
    expect(dataLink.canceled).toEqual([]);
  });
});

describe('a changed billing date', () => {
  it('moves the next charge and the access', async () => {
    const { cardId, subscriptionId } = await createCardScene(test);
    const day = new Date(test.clock.now().getTime() + 45 * DAY_MS).toISOString().slice(0, 10);
    await postEvent(test, 'BillingDateChange', cardId, { nextRenewalDate: day });
    const { nextCharge, paidUntil } = await getSubscription(test, subscriptionId);
    expect([nextCharge?.at, paidUntil]).toEqual([`${day}T07:00:00.000Z`, `${day}T07:00:00.000Z`]);
  });

  it.each(['2044-01-01', '2001-01-01'])('of %s waits for an operator', async (nextRenewalDate) => {
    const { cardId, subscriptionId } = await createCardScene(test);
    const { paidUntil } = await getSubscription(test, subscriptionId);
    await postEvent(test, 'BillingDateChange', cardId, { nextRenewalDate });
    expect(await getReason(cardId)).toBe('its date is not within a year');
    expect((await getSubscription(test, subscriptionId)).paidUntil).toBe(paidUntil);
  });
});

describe('reversals', () => {
  it('a chargeback of a renewal ends the subscription, and the fan owes what was spent', async () => {
    const { fan, cardId, subscriptionId } = await createCardScene(test);
    const renewal = await renewByCard(test, cardId);
    for (let n = 0; n < 2; n += 1) await postCardReversal(test, 'Chargeback', cardId, renewal, '12.24');
    await test.ctx.events.waitUntilIdle();
    expect(await getSubscription(test, subscriptionId)).toMatchObject({ state: 'ended', endReason: 'chargeback' });
    const deposits = await listPaidDeposits(test, fan.id);
    expect(deposits).toMatchObject([
      { processor_transaction_id: cardId, reversed_cents: 0 },
      { processor_transaction_id: renewal, reversed_cents: 1_200 },
    ]);
    await runProcessorJobs(test);
    expect(dataLink.canceled).toContain(cardId);
  });

  it('of a renewal that is not known yet wait for it', async () => {
    const { cardId, fan } = await createCardScene(test);
    const renewal = createProcessorId();
    await postCardReversal(test, 'Refund', cardId, renewal, '12.24');
    expect(await getState(renewal)).toBe('waiting');
    await renewByCard(test, cardId, {}, renewal);
    await runProcessorJobs(test);
    expect((await listStoredWebhooks(test, renewal)).map(({ state }) => state)).toEqual(['processed', 'processed']);
    expect(await countDeposits(fan)).toBe(2);
  });
});

describe('forged webhooks', () => {
  it('about unknown subscriptions change nothing', async () => {
    const id = createProcessorId();
    for (const event of ['RenewalFailure', 'Cancellation', 'Expiration', 'BillingDateChange', 'UserReactivation'])
      await postEvent(test, event, id, { nextRenewalDate: '2024-03-01' });
    const states = new Set((await listStoredWebhooks(test, id)).map(({ state }) => state));
    expect([...states]).toEqual(['waiting']);
  });

  it.each([
    ['RenewalSuccess', { subscriptionId: "1' or '1'='1" }],
    ['RenewalSuccess', { transactionId: '1e5' }],
    ['RenewalSuccess', { billedAmount: 'NaN' }],
    ['BillingDateChange', { nextRenewalDate: 'tomorrow' }],
  ])('%s with %j is quarantined', async (event, change) => {
    const { cardId, fan } = await createCardScene(test);
    const fields = { ...buildRenewal(test, cardId, createProcessorId()), ...change };
    expect(await postWebhook(test, event, fields)).toBe(200);
    await runProcessorJobs(test);
    const rows = await test.ctx.db.query
      .selectFrom('processor_webhooks')
      .select('state')
      .orderBy('id', 'desc')
      .limit(1)
      .execute();
    expect(rows).toEqual([{ state: 'quarantined' }]);
    expect(await countDeposits(fan)).toBe(1);
  });
});
