import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { refundSale } from '../../commerce/sales/index.ts';
import { renewDueSubscriptions } from './renewals.ts';
import { markOpened } from './store.ts';
import {
  addFunds,
  changeSubscription,
  createTestTier,
  DAY_MS,
  expectBalancedLedger,
  getFunds,
  getSubscription,
  HOUR_MS,
  listOpenSubjects,
  listOwn,
  listPeriods,
  signUpFan,
  startTestSubscription,
  subscribeTo,
} from './testing.ts';

let test: TestApp;
let creator: TestUser;
let lower: string;
let higher: string;

beforeAll(async () => {
  test = await createTestApp({ now: new Date('2021-04-01T12:00:00Z') });
});
afterAll(() => test.close());
afterEach(() => expectBalancedLedger(test));

const HIGHER = { renewal: 30 };
async function createTiers(body: Parameters<typeof createTestTier>[1] = {}): Promise<void> {
  test.clock.set(new Date('2021-04-01T12:00:00Z'));
  creator = await test.signUp('creator');
  lower = await createTestTier(creator, body);
  higher = await createTestTier(creator, {
    ...body,
    name: 'Atelier',
    prices: { weekly: null, monthaly: 30, yearly: null },
  });
}
const countSubscribers = async (tierId: string) => {
  const row = await test.ctx.db.query
    .selectFrom('subscription_tiers')
    .select('subscriber_count')
    .where('id', '=', tierId)
    .executeTakeFirst();
  return row?.subscriber_count;
};

it('a change of the tier refunds the rest of the period and charges the new tier, once for each key', async () => {
  await createTiers();
  const fan = await signUpFan(test, 10_000);
  const first = await startTestSubscription(fan, lower);
  test.clock.advance(10 * DAY_MS);
  const key = randomUUID();
  const tab = await test.logIn(fan);
  const responses = await Promise.all([1, 2].map(() => subscribeTo(tab, higher, { ...HIGHER, key })));
  // 20 of 30 days of $12.00 come back.
  expect(await getFunds(test, fan)).toBe(10_000 - 1_200 - 3_000 + 800);
  for (const response of responses)
    expect(response.json()).toMatchObject({ deposit: 66, subscription: { tier: { id: higher }, state: 'active' } });
  expect(await getSubscription(test, first)).toMatchObject({ state: 'ended', endReason: 'changed' });
  expect(await listPeriods(test, first)).toMatchObject([{ refunded_cents: 800 }]);
  expect((await listOwn(test, fan)).data).toMatchObject([{ paidUntil: '2021-05-11T12:00:00.000Z' }]);
  expect((await listOpenSubjects(test, fan)).toSorted()).toEqual([creator.id, lower, higher].toSorted());
  expect([await countSubscribers(lower), await countSubscribers(higher)]).toEqual([0, 1]);
});

it('a change to a lower tier closes the content of the higher one', async () => {
  await createTiers();
  const fan = await signUpFan(test, 10_000);
  await startTestSubscription(fan, higher, HIGHER);
  await startTestSubscription(fan, lower);
  expect(await getFunds(test, fan)).toBe(10_000 - 1_200);
  expect((await listOpenSubjects(test, fan)).toSorted()).toEqual([creator.id, lower].toSorted());
});

it('a change of the tier can be paid with the refund', async () => {
  await createTiers();
  const fan = await signUpFan(test, 3_000);
  await startTestSubscription(fan, higher, HIGHER);
  test.clock.advance(15 * DAY_MS);
  await startTestSubscription(await test.logIn(fan), lower);
  expect(await getFunds(test, fan)).toBe(300);
});

it('a change of the tier does nothing if the new tier cannot be paid, is full, closed or has other terms', async () => {
  await createTiers();
  const fan = await signUpFan(test, 2_500);
  const id = await startTestSubscription(fan, lower);
  const codes: string[] = [(await subscribeTo(fan, higher, HIGHER)).json().code];
  await addFunds(test, fan, 10_000);
  codes.push((await subscribeTo(fan, higher, { renewal: 29 })).json().code);
  const full = await createTestTier(creator, { slots: 1 });
  await startTestSubscription(await signUpFan(test, 2_000), full);
  codes.push((await subscribeTo(fan, full)).json().code);
  const closed = await createTestTier(creator, { isOpen: false });
  codes.push((await subscribeTo(fan, closed)).json().code);
  expect(codes).toEqual(['INSUFFICIENT_FUNDS', 'CONFLICT', 'CONFLICT', 'CONFLICT']);
  expect(await getFunds(test, fan)).toBe(11_300);
  expect(await getSubscription(test, id)).toMatchObject({ state: 'active', isRenewing: true });
  expect((await listOpenSubjects(test, fan)).toSorted()).toEqual([creator.id, lower].toSorted());
});

it('a change of the tier gives no second trial, and ends a running one', async () => {
  await createTiers({ trialDays: 7 });
  const fan = await signUpFan(test, 10_000);
  await startTestSubscription(fan, lower, { today: 0 });
  expect((await subscribeTo(fan, higher, { ...HIGHER, today: 0 })).json().code).toBe('CONFLICT');
  await startTestSubscription(fan, higher, HIGHER);
  expect(await getFunds(test, fan)).toBe(7_000);
  expect((await listOwn(test, fan)).data).toMatchObject([{ state: 'active', tier: { id: higher } }]);
});

it('a fan can change between a free and a paid tier', async () => {
  await createTiers();
  const free = await createTestTier(creator, { prices: { weekly: null, monthaly: null, yearly: null } });
  const fan = await signUpFan(test, 10_000);
  await startTestSubscription(fan, free, { renewal: 0 });
  await startTestSubscription(fan, lower);
  test.clock.advance(15 * DAY_MS);
  await startTestSubscription(await test.logIn(fan), free, { renewal: 0 });
  expect(await getFunds(test, fan)).toBe(10_000 - 600);
  expect((await listOwn(test, fan)).data).toMatchObject([{ isFree: true, nextCharge: null }]);
});

it('a fan with a canceled or unpaid subscription can change the tier, which starts a new subscription', async () => {
  await createTiers();
  const fan = await signUpFan(test, 4_200);
  const id = await startTestSubscription(fan, lower);
  await changeSubscription(test, fan, id, 'cancel');
  await startTestSubscription(fan, higher, HIGHER);
  expect(await getFunds(test, fan)).toBe(1_200);
  test.clock.advance(30 * DAY_MS);
  await renewDueSubscriptions(test.ctx);
  expect((await listOwn(test, fan)).data).toMatchObject([{ state: 'pastDue' }]);
  test.clock.advance(DAY_MS);
  await startTestSubscription(await test.logIn(fan), lower);
  expect(await getFunds(test, fan)).toBe(0);
  expect((await listOwn(test, fan)).data).toMatchObject([{ state: 'active', isRenewing: true }]);
});

it('a fan can subscribe to the same tier again when the canceled period is over, before the job has ended it', async () => {
  await createTiers();
  const fan = await signUpFan(test, 4_200);
  const id = await startTestSubscription(fan, lower);
  await changeSubscription(test, fan, id, 'cancel');
  test.clock.advance(30 * DAY_MS - 1);
  expect((await subscribeTo(await test.logIn(fan), lower)).json().code).toBe('CONFLICT');
  test.clock.advance(1);
  await startTestSubscription(await test.logIn(fan), lower);
  expect(await getSubscription(test, id)).toMatchObject({ endReason: 'canceled' });
  expect(await getFunds(test, fan)).toBe(1_800);
});

it('a change of the tier refunds nothing that an operator has refunded before', async () => {
  await createTiers();
  const fan = await signUpFan(test, 10_000);
  const id = await startTestSubscription(fan, lower);
  const saleId = await test.ctx.db.query
    .selectFrom('subscription_periods')
    .select('sale_id')
    .where('subscription_id', '=', id)
    .executeTakeFirstOrThrow();
  const refund = { saleId: saleId.sale_id, actorId: fan.id, operationId: randomUUID(), at: test.clock.now() };
  await test.ctx.db.transaction((tx) => refundSale(tx, refund));
  await startTestSubscription(fan, higher, HIGHER);
  expect(await getFunds(test, fan)).toBe(7_000);
});

it('the tier is changed once when two tabs change it at the same time, and opposite changes of fans do not wait for each other', async () => {
  await createTiers();
  const fans = await Promise.all(Array.from({ length: 6 }, () => signUpFan(test, 20_000)));
  for (const [index, fan] of fans.entries())
    await (index % 2 === 0 ? startTestSubscription(fan, lower) : startTestSubscription(fan, higher, HIGHER));
  test.clock.advance(12 * HOUR_MS);
  const responses = await Promise.all(
    fans.flatMap((fan, index) =>
      [1, 2].map(() => (index % 2 === 0 ? subscribeTo(fan, higher, HIGHER) : subscribeTo(fan, lower))),
    ),
  );
  const statuses = responses.map(({ statusCode }) => statusCode).toSorted();
  expect(statuses).toEqual([...Array.from({ length: 6 }, () => 200), ...Array.from({ length: 6 }, () => 409)]);
  const funds = await Promise.all(fans.map((fan) => getFunds(test, fan)));
  // 59 of 60 half days come back.
  expect(funds).toEqual([0, 1, 2].flatMap(() => [20_000 - 20 - 3_000, 20_000 - 50 - 1_200]));
  expect([await countSubscribers(lower), await countSubscribers(higher)]).toEqual([3, 3]);
});

describe('a change after something was opened', () => {
  const open = (fan: TestUser) => markOpened(test.ctx.db, fan.id, creator.id, test.clock.now());

  it('refunds at most what the new tier costs', async () => {
    await createTiers();
    const free = await createTestTier(creator, { prices: { weekly: null, monthaly: null, yearly: null } });
    const [fan, other] = [await signUpFan(test, 10_000), await signUpFan(test, 10_000)];
    await startTestSubscription(fan, higher, HIGHER);
    await open(fan);
    await startTestSubscription(fan, lower);
    expect(await getFunds(test, fan)).toBe(7_000);
    await startTestSubscription(other, higher, HIGHER);
    await open(other);
    await startTestSubscription(other, free, { renewal: 0 });
    expect(await getFunds(test, other)).toBe(7_000);
  });

  it('is charged without a right to a refund', async () => {
    await createTiers();
    const fan = await signUpFan(test, 10_000);
    await startTestSubscription(fan, lower);
    await open(fan);
    const id = await startTestSubscription(fan, higher, HIGHER);
    expect((await getSubscription(test, id)).refundableUntil).toBeNull();
    expect((await changeSubscription(test, fan, id, 'refund')).statusCode).toBe(409);
  });

  it('can be refunded if the content was opened in an earlier period', async () => {
    await createTiers();
    const fan = await signUpFan(test, 10_000);
    const first = await startTestSubscription(fan, lower);
    await open(fan);
    test.clock.advance(30 * DAY_MS);
    await renewDueSubscriptions(test.ctx);
    const id = await startTestSubscription(await test.logIn(fan), higher, HIGHER);
    expect((await changeSubscription(test, fan, id, 'refund')).statusCode).toBe(200);
    expect(await listPeriods(test, first)).toMatchObject([{ refunded_cents: 0 }, { refunded_cents: 1_200 }]);
    expect(await getFunds(test, fan)).toBe(8_800);
  });
});
