/** Changed tiers, gifts and accepted prices in the figures of a creator. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { renewDueSubscriptions } from '../../content/subscriptions/index.ts';
import {
  changeSubscription,
  createTestTier,
  DAY_MS,
  listOwn,
  MONTHLY_TIER,
  signUpFan,
  startTestSubscription,
} from '../../content/subscriptions/testing.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

async function advance(days: number): Promise<void> {
  for (let day = 0; day < days; day += 1) {
    test.clock.advance(DAY_MS);
    await renewDueSubscriptions(test.ctx);
  }
}
const viewFigures = async (creator: TestUser) =>
  (await (await test.logIn(creator)).inject('GET', '/api/creator/subscription-figures')).json();
const monthly = (monthaly: number) => ({ prices: { weekly: null, monthaly, yearly: null } });

it('counts a fan who changes the tier as one who stays, until the new subscription ends', async () => {
  test.clock.set(new Date('2027-01-10T12:00:00Z'));
  const creator = await test.signUp('creator');
  const [lower, higher] = [await createTestTier(creator), await createTestTier(creator, monthly(24))];
  const [staying, leaving] = [await signUpFan(test, 10_000), await signUpFan(test, 10_000)];
  for (const fan of [staying, leaving]) await startTestSubscription(fan, lower);
  await advance(35);
  for (const fan of [staying, leaving]) {
    const id = await startTestSubscription(await test.logIn(fan), higher, { renewal: 24 });
    if (fan === leaving) await changeSubscription(test, fan, id, 'refund');
  }
  const { churn, newCount, cohorts } = await viewFigures(creator);
  expect(churn).toEqual({ left: 1, of: 2, percent: 50 });
  expect(newCount).toBe(0);
  expect(cohorts).toMatchObject([{ month: '2027-01', fanCount: 2, shares: [50] }, { fanCount: 0 }]);
  const { inject } = await test.logIn(creator);
  expect((await inject('GET', '/api/creator/subscribers?filter=new')).json().data).toEqual([]);
  await advance(31);
  expect((await viewFigures(creator)).previousChurn).toEqual({ left: 1, of: 2, percent: 50 });
});

it('does not count gifts as recurring income', async () => {
  test.clock.set(new Date('2027-01-20T12:00:00Z'));
  const creator = await test.signUp('creator');
  const [giver, recipient] = [await signUpFan(test, 10_000), await signUpFan(test)];
  const period = { tierId: await createTestTier(creator), recurrence: 'monthaly', count: 1, price: 12 };
  const gift = { ...period, username: recipient.username };
  const given = await giver.inject('POST', '/api/customer/subscriptions/gift', gift, {
    'idempotency-key': randomUUID(),
  });
  expect(given.statusCode, given.body).toBe(200);
  await advance(20);
  const { months, monthlyRecurring, recurringChange } = await viewFigures(creator);
  expect(months.slice(-2)).toEqual([
    { month: '2027-01', amount: 0 },
    { month: '2027-02', amount: 0 },
  ]);
  expect([monthlyRecurring, recurringChange]).toEqual([0, 0]);
});

it('excludes refunds from the paid amounts, and canceled subscriptions from recurring income', async () => {
  test.clock.set(new Date('2027-01-20T12:00:00Z'));
  const creator = await test.signUp('creator');
  const tierId = await createTestTier(creator);
  const [refunded, canceled] = [await signUpFan(test, 10_000), await signUpFan(test, 10_000)];
  await changeSubscription(test, refunded, await startTestSubscription(refunded, tierId), 'refund');
  await changeSubscription(test, canceled, await startTestSubscription(canceled, tierId), 'cancel');
  await advance(15);
  expect((await viewFigures(creator)).months.slice(-2)).toMatchObject([{ amount: 0 }, { amount: 0 }]);
  const { inject } = await test.logIn(creator);
  expect((await inject('GET', '/api/creator/subscribers?filter=ended')).json().data).toMatchObject([{ paid: 0 }]);
  expect((await inject('GET', '/api/creator/subscribers')).json().data).toMatchObject([{ paid: 12 }]);
});

it('expects the same charges as the fan’s page, at the accepted price', async () => {
  test.clock.set(new Date('2027-01-10T12:00:00Z'));
  const creator = await test.signUp('creator');
  const tierId = await createTestTier(creator, { prices: { weekly: 5, monthaly: null, yearly: null } });
  const fan = await signUpFan(test, 50_000);
  const id = await startTestSubscription(fan, tierId, { recurrence: 'weekly', renewal: 5 });
  const body = { ...MONTHLY_TIER, prices: { weekly: 9, monthaly: null, yearly: null } };
  await creator.inject('PUT', `/api/creator/subscription-tiers/${tierId}`, body);
  await test.ctx.events.waitUntilIdle();
  await advance(20);
  // Three charges are due before the new price applies, which the fan has not accepted yet.
  const { expected } = await viewFigures(creator);
  expect([expected.renewals, expected.losses]).toEqual([
    { count: 5, amount: 25 },
    { count: 3, amount: 15 },
  ]);
  await changeSubscription(test, fan, id, 'accept-price', { body: { price: 9 } });
  const { next30Days } = await listOwn(test, fan);
  expect((await viewFigures(creator)).expected.renewals).toEqual({ count: 5, amount: next30Days });
});
