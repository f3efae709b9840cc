import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createProcessorId, postWebhook } from '../../commerce/ccbill/testing.ts';
import { listStoredWebhooks } from '../../commerce/deposits/testing.ts';
import {
  buildFirstPayment,
  buildRenewal,
  createCardScene,
  findSubscriptionId,
  orderByCard,
  payFirst,
  placeOrder,
  postEvent,
  renewByCard,
  runProcessorJobs,
  setUpCardTest,
} from './card.testing.ts';
import { renewDueSubscriptions } from './renewals.ts';
import {
  addFunds,
  changeSubscription,
  createTestTier,
  DAY_MS,
  getFunds,
  getSubscription,
  listOpenSubjects,
  listOwn,
  listPeriods,
  MONTHLY_TIER,
  signUpFan,
  subscribeTo,
} from './testing.ts';

const cards = setUpCardTest();
const { countDeposits, getState, getReason } = cards;

describe('an order by card', () => {
  it('leads to a payment page with the price, the fee and the length of each period', async () => {
    const creator = await cards.app.signUp('creator');
    const fan = await cards.app.signUp('customer');
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
    expect(await findSubscriptionId(cards.app, fan)).toBeUndefined();
  });

  it('is created once for the same idempotency key, and moves no money', async () => {
    const tierId = await createTestTier(await cards.app.signUp('creator'));
    const fan = await cards.app.signUp('customer');
    const key = '7d9b1b52-5d5c-4b53-8c9a-4a6b2a1f0c11';
    const first = await placeOrder(fan, tierId, { key });
    expect(await placeOrder(fan, tierId, { key })).toEqual(first);
    expect(await getFunds(cards.app, fan)).toBe(0);
  });

  it('is refused for changed terms, trials, unknown tiers, and prices beyond the limits of the processor', async () => {
    const creator = await cards.app.signUp('creator');
    const fan = await cards.app.signUp('customer');
    const tierId = await createTestTier(creator);
    const refuse = async (id: string, options: Parameters<typeof orderByCard>[2]) => {
      const response = await orderByCard(fan, id, options);
      return [response.statusCode, response.json().code];
    };
    expect(await refuse(tierId, { expected: 12 })).toEqual([409, 'CONFLICT']);
    expect(await refuse(tierId, { recurrence: 'yearly' })).toEqual([400, 'VALIDATION']);
    expect(await refuse(creator.id, {})).toEqual([404, 'NOT_FOUND']);
    const trial = await createTestTier(await cards.app.signUp('creator'), { trialDays: 7 });
    expect(await refuse(trial, {})).toEqual([409, 'CONFLICT']);
    const yearly = { prices: { weekly: null, monthaly: null, yearly: 500 } };
    const expensive = await createTestTier(await cards.app.signUp('creator'), yearly);
    expect(await refuse(expensive, { recurrence: 'yearly', price: 500 })).toEqual([403, 'FORBIDDEN']);
    const cheap = await createTestTier(await cards.app.signUp('creator'), {
      prices: { weekly: 3, monthaly: null, yearly: null },
    });
    expect(await refuse(cheap, { recurrence: 'weekly', price: 3 })).toEqual([403, 'FORBIDDEN']);
  });

  it('is refused if it is over a spending limit of the fan', async () => {
    const tierId = await createTestTier(await cards.app.signUp('creator'));
    const fan = await cards.app.signUp('customer');
    await fan.inject('PUT', '/api/customer/spending-limits/week', { limit: 11.99 });
    expect((await orderByCard(fan, tierId)).json()).toMatchObject({ code: 'FORBIDDEN', href: expect.any(String) });
    const other = await cards.app.signUp('customer');
    await other.inject('PUT', '/api/customer/spending-limits/week', { limit: 12 });
    await payFirst(cards.app, await placeOrder(other, tierId));
    expect(await findSubscriptionId(cards.app, other)).toBeDefined();
  });

  it.each([{ isOpen: false }, { slots: 1 }])('is refused if the tier takes no more subscribers: %j', async (tier) => {
    const creator = await cards.app.signUp('creator');
    const tierId = await createTestTier(creator, 'slots' in tier ? tier : {});
    if ('slots' in tier) await payFirst(cards.app, await placeOrder(await cards.app.signUp('customer'), tierId));
    else await creator.inject('PUT', `/api/creator/subscription-tiers/${tierId}`, { ...MONTHLY_TIER, ...tier });
    expect((await orderByCard(await cards.app.signUp('customer'), tierId)).statusCode).toBe(409);
  });

  it('is refused for a trial to a fan who only had a gift, because a trial renews from the balance', async () => {
    const [giver, fan] = [await signUpFan(cards.app, 1_200), await cards.app.signUp('customer')];
    const tierId = await createTestTier(await cards.app.signUp('creator'), { trialDays: 7 });
    const gift = { tierId, recurrence: 'monthaly', count: 1, price: 12, username: fan.username };
    const headers = { 'idempotency-key': randomUUID() };
    const given = await giver.inject('POST', '/api/customer/subscriptions/gift', gift, headers);
    expect(given.statusCode, given.body).toBe(200);
    cards.app.clock.advance(32 * DAY_MS);
    await renewDueSubscriptions(cards.app.ctx);
    expect((await orderByCard(await cards.app.logIn(fan), tierId)).json()).toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('trial'),
    });
  });

  it('is refused while the fan has a subscription to the creator', async () => {
    const { fan, tierId } = await createCardScene(cards.app);
    expect((await orderByCard(fan, tierId)).statusCode).toBe(409);
  });
});

describe('the first payment', () => {
  it('starts the subscription with a deposit and a sale', async () => {
    const { fan, creator, tierId, subscriptionId } = await createCardScene(cards.app);
    expect(await getSubscription(cards.app, subscriptionId)).toMatchObject({
      state: 'active',
      paymentSource: 'card',
      cardPeriodDays: 30,
      price: 12,
      nextCharge: { amount: 12.24 },
    });
    expect(await getFunds(cards.app, fan)).toBe(0);
    expect(await countDeposits(fan)).toBe(1);
    expect(await listPeriods(cards.app, subscriptionId)).toMatchObject([{ number: 1, price_cents: 1_200 }]);
    expect((await listOpenSubjects(cards.app, fan)).toSorted()).toEqual([creator.id, tierId].toSorted());
    const { perMonth, perYear, next30Days } = await listOwn(cards.app, fan);
    expect({ perMonth, perYear, next30Days }).toEqual({ perMonth: 12.41, perYear: 148.92, next30Days: 12.24 });
  });

  it('starts one subscription when it is reported three times', async () => {
    const fan = await cards.app.signUp('customer');
    const tierId = await createTestTier(await cards.app.signUp('creator'));
    const order = await placeOrder(fan, tierId);
    const id = createProcessorId();
    for (let n = 0; n < 3; n += 1) await payFirst(cards.app, order, id);
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
  ])('is quarantined with %j', async (change, reason) => {
    const fan = await cards.app.signUp('customer');
    const order = await placeOrder(fan, await createTestTier(await cards.app.signUp('creator')));
    const id = createProcessorId();
    await postWebhook(cards.app, 'NewSaleSuccess', { ...(await buildFirstPayment(cards.app, order, id)), ...change });
    expect(await listStoredWebhooks(cards.app, id)).toMatchObject([{ state: 'quarantined', reason }]);
    expect(await findSubscriptionId(cards.app, fan)).toBeUndefined();
    expect(await getFunds(cards.app, fan)).toBe(0);
  });

  it('is quarantined if a deposit was sold with recurring terms', async () => {
    const fan = await cards.app.signUp('customer');
    const body = { paymentProvider: 'ccbill', amount: 50 };
    const { depositId } = (await fan.inject('POST', '/api/customer/deposite-fund', body)).json();
    const id = createProcessorId();
    const url = 'http://x/?recurringPrice=51.00&initialPeriod=30&recurringPeriod=30&numRebills=99';
    const fields = await buildFirstPayment(cards.app, { depositId, paymentUrl: url }, id);
    await postWebhook(cards.app, 'NewSaleSuccess', fields);
    expect(await getReason(id)).toBe('it was sold as recurring');
  });

  it('remains in the wallet if the fan subscribed from the balance meanwhile, and is canceled at the processor', async () => {
    const fan = await cards.app.signUp('customer');
    const tierId = await createTestTier(await cards.app.signUp('creator'));
    const order = await placeOrder(fan, tierId);
    await addFunds(cards.app, fan, 1_200);
    expect((await subscribeTo(fan, tierId)).statusCode).toBe(200);
    const id = await payFirst(cards.app, order);
    expect(await getFunds(cards.app, fan)).toBe(1_200);
    expect((await fan.inject('GET', `/api/customer/deposit/${order.depositId}`)).json()).toMatchObject({
      status: 'success',
      isSubscription: true,
      isUnused: true,
    });
    await runProcessorJobs(cards.app);
    expect(cards.dataLink.canceled).toContain(id);
  });

  it.each<[string, (scene: { tierId: string; creatorId: string; fanId: string }) => Promise<unknown>]>([
    [
      'the tier is full',
      ({ tierId }) =>
        cards.app.owner.query
          .updateTable('subscription_tiers')
          .set({ slots: 1, subscriber_count: 1 })
          .where('id', '=', tierId)
          .execute(),
    ],
    [
      'the tier was deleted',
      ({ tierId }) =>
        cards.app.owner.query
          .updateTable('subscription_tiers')
          .set({ deleted_at: cards.app.clock.now(), position: null })
          .where('id', '=', tierId)
          .execute(),
    ],
    [
      'the creator is blocked',
      ({ creatorId }) =>
        cards.app.owner.query.updateTable('users').set({ is_blocked: true }).where('id', '=', creatorId).execute(),
    ],
    [
      'an operator blocked the fan, or the account was deleted,',
      ({ fanId }) =>
        cards.app.owner.query.updateTable('users').set({ is_blocked: true }).where('id', '=', fanId).execute(),
    ],
    [
      'the creator blocked the fan',
      ({ creatorId, fanId }) =>
        cards.app.owner.query
          .insertInto('blocks')
          .values({ fan_id: fanId, creator_id: creatorId, since: cards.app.clock.now() })
          .execute(),
    ],
  ])('remains in the wallet if %s meanwhile', async (_, prepare) => {
    const creator = await cards.app.signUp('creator');
    const fan = await cards.app.signUp('customer');
    const tierId = await createTestTier(creator);
    const order = await placeOrder(fan, tierId);
    await prepare({ tierId, creatorId: creator.id, fanId: fan.id });
    const id = await payFirst(cards.app, order);
    expect(await getState(id)).toBe('processed');
    expect(await getFunds(cards.app, fan)).toBe(1_200);
    expect(await findSubscriptionId(cards.app, fan)).toBeUndefined();
    await runProcessorJobs(cards.app);
    expect(cards.dataLink.canceled).toContain(id);
  });

  it('starts one subscription when the fan pays in two tabs', async () => {
    const fan = await cards.app.signUp('customer');
    const tierId = await createTestTier(await cards.app.signUp('creator'));
    const orders = [await placeOrder(fan, tierId), await placeOrder(fan, tierId)] as const;
    await Promise.all(orders.map((order) => payFirst(cards.app, order)));
    await cards.app.ctx.events.waitUntilIdle();
    expect(await countDeposits(fan)).toBe(2);
    expect(await getFunds(cards.app, fan)).toBe(1_200);
    await runProcessorJobs(cards.app);
    expect(cards.dataLink.canceled).toHaveLength(1);
  });
});

describe('a renewal', () => {
  it('pays for the next period once, however often it is reported', async () => {
    const { fan, cardId, subscriptionId } = await createCardScene(cards.app);
    cards.app.clock.advance(30 * DAY_MS);
    const fields = buildRenewal(cards.app, cardId, createProcessorId());
    for (let n = 0; n < 3; n += 1) await postWebhook(cards.app, 'RenewalSuccess', fields);
    await runProcessorJobs(cards.app);
    const [first, second] = await listPeriods(cards.app, subscriptionId);
    expect(second).toMatchObject({ number: 2, starts_at: first?.ends_at, price_cents: 1_200 });
    expect(await getFunds(cards.app, fan)).toBe(0);
    expect(await countDeposits(fan)).toBe(2);
  });

  it('is not charged to the balance by the job', async () => {
    const { fan, subscriptionId } = await createCardScene(cards.app);
    await addFunds(cards.app, fan, 10_000);
    cards.app.clock.advance(32 * DAY_MS);
    await renewDueSubscriptions(cards.app.ctx);
    expect(await getFunds(cards.app, fan)).toBe(10_000);
    expect((await getSubscription(cards.app, subscriptionId)).state).toBe('active');
    expect((await changeSubscription(cards.app, fan, subscriptionId, 'pay')).statusCode).toBe(409);
  });

  it('ends the subscription after the grace period if it is never charged, and is canceled at the processor', async () => {
    const { fan, cardId, subscriptionId } = await createCardScene(cards.app);
    cards.dataLink.timesRebilled = 0;
    cards.app.clock.advance(35 * DAY_MS);
    await renewDueSubscriptions(cards.app.ctx);
    await runProcessorJobs(cards.app);
    expect(await getSubscription(cards.app, subscriptionId)).toMatchObject({ state: 'ended', endReason: 'unpaid' });
    expect(await listOpenSubjects(cards.app, fan)).toEqual([]);
    await cards.app.ctx.events.waitUntilIdle();
    await runProcessorJobs(cards.app);
    expect(cards.dataLink.canceled).toContain(cardId);
  });

  it('is credited only as often as the processor counted it', async () => {
    const { fan, cardId, subscriptionId } = await createCardScene(cards.app);
    cards.dataLink.timesRebilled = 0;
    const forged = await renewByCard(cards.app, cardId);
    expect(await getState(forged)).toBe('waiting');
    cards.dataLink.timesRebilled = 1;
    await Promise.all([renewByCard(cards.app, cardId), renewByCard(cards.app, cardId)]);
    await runProcessorJobs(cards.app);
    expect(await countDeposits(fan)).toBe(2);
    expect(await listPeriods(cards.app, subscriptionId)).toHaveLength(2);
  });

  it.each([
    [{ billedAmount: '12.25' }, 'another amount was billed than ordered'],
    [{ billedAmount: '0.01' }, 'another amount was billed than ordered'],
    [{ billedCurrencyCode: '978' }, 'it was billed in another currency'],
    [{ clientSubacc: '0009' }, 'it is for another subaccount'],
    [{ timestamp: '2020-01-01 00:00:00' }, 'it was charged before the order was made'],
  ])('is quarantined with %j', async (change, reason) => {
    const { fan, cardId } = await createCardScene(cards.app);
    const id = await renewByCard(cards.app, cardId, change);
    expect(await listStoredWebhooks(cards.app, id)).toMatchObject([{ state: 'quarantined', reason }]);
    expect(await countDeposits(fan)).toBe(1);
  });

  it('waits for the first payment if it is reported before it', async () => {
    const fan = await cards.app.signUp('customer');
    const order = await placeOrder(fan, await createTestTier(await cards.app.signUp('creator')));
    const cardId = createProcessorId();
    const renewal = await renewByCard(cards.app, cardId);
    expect(await getState(renewal)).toBe('waiting');
    await payFirst(cards.app, order, cardId);
    await runProcessorJobs(cards.app);
    expect(await listPeriods(cards.app, (await findSubscriptionId(cards.app, fan)) ?? '')).toHaveLength(2);
  });

  it('pays for one period without overlaps if it is reported months late and out of order', async () => {
    const { fan, cardId, subscriptionId } = await createCardScene(cards.app);
    const renewals: Record<string, string>[] = [];
    for (let n = 0; n < 3; n += 1) {
      cards.app.clock.advance(30 * DAY_MS);
      renewals.push(buildRenewal(cards.app, cardId, createProcessorId()));
    }
    for (const fields of renewals.toReversed()) await postWebhook(cards.app, 'RenewalSuccess', fields);
    await runProcessorJobs(cards.app);
    const periods = await listPeriods(cards.app, subscriptionId);
    expect(periods).toHaveLength(4);
    for (const [index, period] of periods.entries())
      expect(period.starts_at.getTime()).toBeGreaterThanOrEqual(periods[index - 1]?.ends_at.getTime() ?? 0);
    expect(await getFunds(cards.app, fan)).toBe(0);
  });

  it('makes the subscription past due when it is declined, until it is paid', async () => {
    const { cardId, subscriptionId } = await createCardScene(cards.app);
    cards.app.clock.advance(30 * DAY_MS);
    const id = createProcessorId();
    await postEvent(cards.app, 'RenewalFailure', cardId, { transactionId: id, nextRetryDate: '2024-03-05' });
    expect(await getSubscription(cards.app, subscriptionId)).toMatchObject({
      state: 'pastDue',
      failure: { amount: 12.24 },
    });
    cards.app.clock.advance(DAY_MS);
    const declined = { ...buildRenewal(cards.app, cardId, createProcessorId()) };
    cards.app.clock.advance(DAY_MS);
    await renewByCard(cards.app, cardId);
    expect((await getSubscription(cards.app, subscriptionId)).state).toBe('active');
    const late = { subscriptionId: cardId, timestamp: declined.timestamp ?? '', transactionId: createProcessorId() };
    await postEvent(cards.app, 'RenewalFailure', cardId, late);
    expect((await getSubscription(cards.app, subscriptionId)).state).toBe('active');
  });
});
