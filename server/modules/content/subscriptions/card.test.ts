import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../../testing/app.ts';
import { createProcessorId, postWebhook } from '../../commerce/ccbill/testing.ts';
import { listPaidDeposits, listStoredWebhooks } from '../../commerce/deposits/testing.ts';
import {
  buildFirstPayment,
  buildRenewal,
  createCardScene,
  findSubscriptionId,
  mockDataLink,
  orderByCard,
  payFirst,
  placeOrder,
  postEvent,
  renewByCard,
  runProcessorJobs,
} from './card.testing.ts';
import { renewDueSubscriptions } from './renewals.ts';
import {
  addFunds,
  changeSubscription,
  createTestTier,
  DAY_MS,
  expectBalancedLedger,
  getFunds,
  getSubscription,
  listOpenSubjects,
  listOwn,
  listPeriods,
  subscribeTo,
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

describe('an order by card', () => {
  it('leads to a form with the price, the fee and the days of each period', async () => {
    const creator = await test.signUp('creator');
    const fan = await test.signUp('customer');
    const prices = { weekly: 4, monthaly: 12, yearly: 90 };
    const bundles = [3 as const, 6 as const, 12 as const].map((months) => ({ months, percentOff: 50 }));
    const tierId = await createTestTier(creator, { prices, bundles });
    const cases = [
      ['weekly', 1, 4, '4.08', '7'],
      ['monthaly', 1, 12, '12.24', '30'],
      ['monthaly', 3, 18, '18.37', '90'],
      ['monthaly', 6, 36, '36.73', '180'],
      ['monthaly', 12, 72, '73.47', '365'],
      ['yearly', 1, 90, '91.80', '365'],
    ] as const;
    for (const [recurrence, count, price, charged, days] of cases) {
      const { paymentUrl } = await placeOrder(fan, tierId, { recurrence, count, price });
      expect(Object.fromEntries(new URL(paymentUrl).searchParams)).toMatchObject({
        initialPrice: charged,
        initialPeriod: days,
        recurringPrice: charged,
        recurringPeriod: days,
        numRebills: '99',
      });
    }
    expect(await findSubscriptionId(test, fan)).toBeUndefined();
  });

  it('is the same one for the same key, and moves nothing', async () => {
    const tierId = await createTestTier(await test.signUp('creator'));
    const fan = await test.signUp('customer');
    const key = '7d9b1b52-5d5c-4b53-8c9a-4a6b2a1f0c11';
    const first = await placeOrder(fan, tierId, { key });
    expect(await placeOrder(fan, tierId, { key })).toEqual(first);
    expect(await getFunds(test, fan)).toBe(0);
  });

  it('is refused for other terms, trials, foreign tiers, and prices that the processor does not take', async () => {
    const creator = await test.signUp('creator');
    const fan = await test.signUp('customer');
    const tierId = await createTestTier(creator);
    const refuse = async (id: string, options: Parameters<typeof orderByCard>[2]) => {
      const response = await orderByCard(fan, id, options);
      return [response.statusCode, response.json().code];
    };
    expect(await refuse(tierId, { expected: 12 })).toEqual([409, 'CONFLICT']);
    expect(await refuse(tierId, { recurrence: 'yearly' })).toEqual([400, 'VALIDATION']);
    expect(await refuse(creator.id, {})).toEqual([404, 'NOT_FOUND']);
    const trial = await createTestTier(await test.signUp('creator'), { trialDays: 7 });
    expect(await refuse(trial, {})).toEqual([409, 'CONFLICT']);
    const yearly = { prices: { weekly: null, monthaly: null, yearly: 500 } };
    const expensive = await createTestTier(await test.signUp('creator'), yearly);
    expect(await refuse(expensive, { recurrence: 'yearly', price: 500 })).toEqual([403, 'FORBIDDEN']);
    const cheap = await createTestTier(await test.signUp('creator'), {
      prices: { weekly: 3, monthaly: null, yearly: null },
    });
    expect(await refuse(cheap, { recurrence: 'weekly', price: 3 })).toEqual([403, 'FORBIDDEN']);
  });

  it('is refused over a spending limit of the fan, who could not use the payment', async () => {
    const tierId = await createTestTier(await test.signUp('creator'));
    const fan = await test.signUp('customer');
    await fan.inject('PUT', '/api/customer/spending-limits/week', { limit: 11.99 });
    expect((await orderByCard(fan, tierId)).json()).toMatchObject({ code: 'FORBIDDEN', href: expect.any(String) });
    const other = await test.signUp('customer');
    await other.inject('PUT', '/api/customer/spending-limits/week', { limit: 12 });
    await payFirst(test, await placeOrder(other, tierId));
    expect(await findSubscriptionId(test, other)).toBeDefined();
  });

  it('is refused while the fan subscribes already', async () => {
    const { fan, tierId } = await createCardScene(test);
    expect((await orderByCard(fan, tierId)).statusCode).toBe(409);
  });
});

describe('the first payment', () => {
  it('starts the subscription, and is a deposit and a sale', async () => {
    const { fan, creator, tierId, subscriptionId } = await createCardScene(test);
    expect(await getSubscription(test, subscriptionId)).toMatchObject({
      state: 'active',
      purse: 'card',
      cardPeriodDays: 30,
      price: 12,
      nextCharge: { amount: 12.24 },
    });
    expect(await getFunds(test, fan)).toBe(0);
    expect(await countDeposits(fan)).toBe(1);
    expect(await listPeriods(test, subscriptionId)).toMatchObject([{ number: 1, price_cents: 1_200 }]);
    expect((await listOpenSubjects(test, fan)).toSorted()).toEqual([creator.id, tierId].toSorted());
    const { perMonth, perYear, next30Days } = await listOwn(test, fan);
    expect({ perMonth, perYear, next30Days }).toEqual({ perMonth: 12.41, perYear: 148.92, next30Days: 12.24 });
  });

  it('reported three times starts it once', async () => {
    const fan = await test.signUp('customer');
    const tierId = await createTestTier(await test.signUp('creator'));
    const order = await placeOrder(fan, tierId);
    const id = createProcessorId();
    for (let n = 0; n < 3; n += 1) await payFirst(test, order, id);
    expect(await countDeposits(fan)).toBe(1);
  });

  it.each([
    [{ billedInitialPrice: '2.95' }, 'another amount was billed than ordered'],
    [{ billedRecurringPrice: '2.95' }, 'its renewals cost another amount than ordered'],
    [{ billedRecurringPrice: '0.00' }, 'its renewals cost another amount than ordered'],
    [{ recurringPeriod: '365' }, 'its periods are not as long as ordered'],
    [{ billedCurrencyCode: '978' }, 'it was billed in another currency'],
    [{ clientAccnum: '900001' }, 'it is for another account'],
    [{ dynamicPricingValidationDigest: '0'.repeat(32) }, 'its digest is wrong'],
  ])('with %j waits for an operator', async (change, reason) => {
    const fan = await test.signUp('customer');
    const order = await placeOrder(fan, await createTestTier(await test.signUp('creator')));
    const id = createProcessorId();
    await postWebhook(test, 'NewSaleSuccess', { ...(await buildFirstPayment(test, order, id)), ...change });
    expect(await listStoredWebhooks(test, id)).toMatchObject([{ state: 'quarantined', reason }]);
    expect(await findSubscriptionId(test, fan)).toBeUndefined();
    expect(await getFunds(test, fan)).toBe(0);
  });

  it('of a single deposit with recurring terms waits for an operator', async () => {
    const fan = await test.signUp('customer');
    const body = { paymentProvider: 'ccbill', amount: 50 };
    const { depositId } = (await fan.inject('POST', '/api/customer/deposite-fund', body)).json();
    const id = createProcessorId();
    const url = 'http://x/?recurringPrice=51.00&initialPeriod=30&recurringPeriod=30&numRebills=99';
    const fields = await buildFirstPayment(test, { depositId, paymentUrl: url }, id);
    await postWebhook(test, 'NewSaleSuccess', fields);
    expect(await getReason(id)).toBe('it was sold as recurring');
  });

  it('remains in the wallet if the balance subscribed meanwhile, and the card is charged no more', async () => {
    const fan = await test.signUp('customer');
    const tierId = await createTestTier(await test.signUp('creator'));
    const order = await placeOrder(fan, tierId);
    await addFunds(test, fan, 1_200);
    expect((await subscribeTo(fan, tierId)).statusCode).toBe(200);
    const id = await payFirst(test, order);
    expect(await getFunds(test, fan)).toBe(1_200);
    expect((await fan.inject('GET', `/api/customer/deposit/${order.depositId}`)).json()).toMatchObject({
      status: 'success',
      isSubscription: true,
      isUnused: true,
    });
    await runProcessorJobs(test);
    expect(dataLink.canceled).toContain(id);
  });

  it.each<[string, (scene: { tierId: string; creatorId: string; fanId: string }) => Promise<unknown>]>([
    [
      'the tier is full',
      ({ tierId }) =>
        test.owner.query
          .updateTable('subscription_tiers')
          .set({ slots: 1, subscriber_count: 1 })
          .where('id', '=', tierId)
          .execute(),
    ],
    [
      'the tier was deleted',
      ({ tierId }) =>
        test.owner.query
          .updateTable('subscription_tiers')
          .set({ deleted_at: test.clock.now(), position: null })
          .where('id', '=', tierId)
          .execute(),
    ],
    [
      'the creator is blocked',
      ({ creatorId }) =>
        test.owner.query.updateTable('users').set({ is_blocked: true }).where('id', '=', creatorId).execute(),
    ],
    [
      'an operator blocked the fan, or the account was deleted,',
      ({ fanId }) => test.owner.query.updateTable('users').set({ is_blocked: true }).where('id', '=', fanId).execute(),
    ],
    [
      'the creator blocked the fan',
      ({ creatorId, fanId }) =>
        test.owner.query
          .insertInto('blocks')
          .values({ fan_id: fanId, creator_id: creatorId, since: test.clock.now() })
          .execute(),
    ],
  ])('remains in the wallet if %s meanwhile', async (_, prepare) => {
    const creator = await test.signUp('creator');
    const fan = await test.signUp('customer');
    const tierId = await createTestTier(creator);
    const order = await placeOrder(fan, tierId);
    await prepare({ tierId, creatorId: creator.id, fanId: fan.id });
    const id = await payFirst(test, order);
    expect(await getState(id)).toBe('processed');
    expect(await getFunds(test, fan)).toBe(1_200);
    expect(await findSubscriptionId(test, fan)).toBeUndefined();
    await runProcessorJobs(test);
    expect(dataLink.canceled).toContain(id);
  });

  it('in two tabs starts one subscription', async () => {
    const fan = await test.signUp('customer');
    const tierId = await createTestTier(await test.signUp('creator'));
    const orders = [await placeOrder(fan, tierId), await placeOrder(fan, tierId)] as const;
    await Promise.all(orders.map((order) => payFirst(test, order)));
    await test.ctx.events.waitUntilIdle();
    expect(await countDeposits(fan)).toBe(2);
    expect(await getFunds(test, fan)).toBe(1_200);
    await runProcessorJobs(test);
    expect(dataLink.canceled).toHaveLength(1);
  });
});

describe('a renewal', () => {
  it('pays for the next period once, however often it is reported', async () => {
    const { fan, cardId, subscriptionId } = await createCardScene(test);
    test.clock.advance(30 * DAY_MS);
    const fields = buildRenewal(test, cardId, createProcessorId());
    for (let n = 0; n < 3; n += 1) await postWebhook(test, 'RenewalSuccess', fields);
    await runProcessorJobs(test);
    const [first, second] = await listPeriods(test, subscriptionId);
    expect(second).toMatchObject({ number: 2, starts_at: first?.ends_at, price_cents: 1_200 });
    expect(await getFunds(test, fan)).toBe(0);
    expect(await countDeposits(fan)).toBe(2);
  });

  it('is not charged to the balance by the job', async () => {
    const { fan, subscriptionId } = await createCardScene(test);
    await addFunds(test, fan, 10_000);
    test.clock.advance(32 * DAY_MS);
    await renewDueSubscriptions(test.ctx);
    expect(await getFunds(test, fan)).toBe(10_000);
    expect((await getSubscription(test, subscriptionId)).state).toBe('active');
    expect((await changeSubscription(test, fan, subscriptionId, 'pay')).statusCode).toBe(409);
  });

  it('that never comes ends the subscription after the grace, and the processor is to cancel it', async () => {
    const { fan, cardId, subscriptionId } = await createCardScene(test);
    dataLink.timesRebilled = 0;
    test.clock.advance(35 * DAY_MS);
    await renewDueSubscriptions(test.ctx);
    await runProcessorJobs(test);
    expect(await getSubscription(test, subscriptionId)).toMatchObject({ state: 'ended', endReason: 'unpaid' });
    expect(await listOpenSubjects(test, fan)).toEqual([]);
    await test.ctx.events.waitUntilIdle();
    await runProcessorJobs(test);
    expect(dataLink.canceled).toContain(cardId);
  });

  it('is credited only as often as the processor counted it', async () => {
    const { fan, cardId, subscriptionId } = await createCardScene(test);
    dataLink.timesRebilled = 0;
    const forged = await renewByCard(test, cardId);
    expect(await getState(forged)).toBe('waiting');
    dataLink.timesRebilled = 1;
    await Promise.all([renewByCard(test, cardId), renewByCard(test, cardId)]);
    await runProcessorJobs(test);
    expect(await countDeposits(fan)).toBe(2);
    expect(await listPeriods(test, subscriptionId)).toHaveLength(2);
  });

  it.each([
    [{ billedAmount: '12.25' }, 'another amount was billed than ordered'],
    [{ billedAmount: '0.01' }, 'another amount was billed than ordered'],
    [{ billedCurrencyCode: '978' }, 'it was billed in another currency'],
    [{ clientSubacc: '0009' }, 'it is for another subaccount'],
    [{ timestamp: '2020-01-01 00:00:00' }, 'it was charged before the order was made'],
  ])('with %j waits for an operator', async (change, reason) => {
    const { fan, cardId } = await createCardScene(test);
    const id = await renewByCard(test, cardId, change);
    expect(await listStoredWebhooks(test, id)).toMatchObject([{ state: 'quarantined', reason }]);
    expect(await countDeposits(fan)).toBe(1);
  });

  it('before the first payment waits for it', async () => {
    const fan = await test.signUp('customer');
    const order = await placeOrder(fan, await createTestTier(await test.signUp('creator')));
    const cardId = createProcessorId();
    const renewal = await renewByCard(test, cardId);
    expect(await getState(renewal)).toBe('waiting');
    await payFirst(test, order, cardId);
    await runProcessorJobs(test);
    expect(await listPeriods(test, (await findSubscriptionId(test, fan)) ?? '')).toHaveLength(2);
  });

  it('months late and out of order pays for one period each, without overlaps', async () => {
    const { fan, cardId, subscriptionId } = await createCardScene(test);
    const renewals: Record<string, string>[] = [];
    for (let n = 0; n < 3; n += 1) {
      test.clock.advance(30 * DAY_MS);
      renewals.push(buildRenewal(test, cardId, createProcessorId()));
    }
    for (const fields of renewals.toReversed()) await postWebhook(test, 'RenewalSuccess', fields);
    await runProcessorJobs(test);
    const periods = await listPeriods(test, subscriptionId);
    expect(periods).toHaveLength(4);
    for (const [index, period] of periods.entries())
      expect(period.starts_at.getTime()).toBeGreaterThanOrEqual(periods[index - 1]?.ends_at.getTime() ?? 0);
    expect(await getFunds(test, fan)).toBe(0);
  });

  it('is past due when it is declined, until a payment comes', async () => {
    const { cardId, subscriptionId } = await createCardScene(test);
    test.clock.advance(30 * DAY_MS);
    const id = createProcessorId();
    await postEvent(test, 'RenewalFailure', cardId, { transactionId: id, nextRetryDate: '2024-03-05' });
    expect(await getSubscription(test, subscriptionId)).toMatchObject({
      state: 'pastDue',
      failure: { amount: 12.24 },
    });
    test.clock.advance(DAY_MS);
    const declined = { ...buildRenewal(test, cardId, createProcessorId()) };
    test.clock.advance(DAY_MS);
    await renewByCard(test, cardId);
    expect((await getSubscription(test, subscriptionId)).state).toBe('active');
    const late = { subscriptionId: cardId, timestamp: declined.timestamp ?? '', transactionId: createProcessorId() };
    await postEvent(test, 'RenewalFailure', cardId, late);
    expect((await getSubscription(test, subscriptionId)).state).toBe('active');
  });
});
