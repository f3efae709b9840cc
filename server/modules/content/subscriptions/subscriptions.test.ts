import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { waitForBlockedQueries } from '../../../testing/locks.ts';
import {
  changeSubscription,
  createTestTier,
  DAY_MS,
  expectBalancedLedger,
  getFunds,
  listOpenSubjects,
  listOwn,
  listPeriods,
  MONTHLY_TIER,
  signUpFan,
  startTestSubscription,
  subscribeTo,
} from './testing.ts';

let test: TestApp;
let creator: TestUser;

beforeAll(async () => {
  test = await createTestApp({ env: { TRUST_PROXY: '127.0.0.1' } });
});
afterAll(() => test.close());
afterEach(() => expectBalancedLedger(test));

const createCreator = async () => {
  creator = await test.signUp('creator');
  return creator;
};
const createTier = async (body: Parameters<typeof createTestTier>[1] = {}) =>
  createTestTier(await createCreator(), body);
const getCode = (response: { json(): { code?: string } }) => response.json().code ?? 'OK';

describe('subscribing', () => {
  it('charges the first period once, also when the request is repeated', async () => {
    const tierId = await createTier();
    const fan = await signUpFan(test, 5_000);
    const key = randomUUID();
    const [first, second] = await Promise.all([subscribeTo(fan, tierId, { key }), subscribeTo(fan, tierId, { key })]);
    expect([first.statusCode, second.statusCode]).toEqual([200, 200]);
    expect(first.json()).toEqual(second.json());
    expect(first.json()).toMatchObject({ deposit: 38, transactionId: expect.any(String) });
    expect(await getFunds(test, fan)).toBe(3_800);
    expect((await listOwn(test, fan)).data).toMatchObject([
      { state: 'active', isRenewing: true, nextCharge: { amount: 12 } },
    ]);
    expect(getCode(await subscribeTo(fan, tierId))).toBe('CONFLICT');
    expect(getCode(await subscribeTo(fan, tierId, { key, timeZone: 'Europe/Paris' }))).toBe('CONFLICT');
    expect(await getFunds(test, fan)).toBe(3_800);
  });

  it('charges once when two tabs subscribe at the same time', async () => {
    const tierId = await createTier();
    const fan = await signUpFan(test, 5_000);
    const responses = await Promise.all([1, 2, 3, 4].map(() => subscribeTo(fan, tierId)));
    expect(responses.map(getCode).toSorted()).toEqual(['CONFLICT', 'CONFLICT', 'CONFLICT', 'OK']);
    expect(await getFunds(test, fan)).toBe(3_800);
    expect((await listOwn(test, fan)).data).toHaveLength(1);
  });

  it('refuses without funds and stores nothing', async () => {
    const tierId = await createTier({ slots: 1 });
    const fan = await signUpFan(test, 1_000);
    expect(getCode(await subscribeTo(fan, tierId))).toBe('INSUFFICIENT_FUNDS');
    expect((await listOwn(test, fan)).data).toEqual([]);
    expect(await listOpenSubjects(test, fan)).toEqual([]);
    // The slot is still free.
    expect(getCode(await subscribeTo(await signUpFan(test, 2_000), tierId))).toBe('OK');
  });

  it('gives the last slot to one of two fans', async () => {
    const tierId = await createTier({ slots: 1 });
    const fans = await Promise.all([signUpFan(test, 2_000), signUpFan(test, 2_000)]);
    const responses = await Promise.all(fans.map((fan) => subscribeTo(fan, tierId)));
    expect(responses.map(getCode).toSorted()).toEqual(['CONFLICT', 'OK']);
    const funds = await Promise.all(fans.map((fan) => getFunds(test, fan)));
    expect(funds.toSorted((a, b) => a - b)).toEqual([800, 2_000]);
  });

  it('opens the creator and the tiers up to the own one', async () => {
    const lower = await createTier();
    const own = await createTestTier(creator, { name: 'Middle' });
    await createTestTier(creator, { name: 'Higher' });
    const fan = await signUpFan(test, 2_000);
    await startTestSubscription(fan, own);
    expect((await listOpenSubjects(test, fan)).toSorted()).toEqual([creator.id, lower, own].toSorted());
  });

  it.each([
    [{ recurrence: 'weekly', count: 1 }, 4],
    [{ recurrence: 'monthaly', count: 3 }, 32.4],
    [{ recurrence: 'monthaly', count: 12 }, 86.4],
    [{ recurrence: 'yearly', count: 1 }, 100],
  ] as const)('charges the price of %o', async (period, price) => {
    const bundles = [
      { months: 3 as const, percentOff: 10 },
      { months: 12 as const, percentOff: 40 },
    ];
    const tierId = await createTier({ prices: { weekly: 4, monthaly: 12, yearly: 100 }, bundles });
    const fan = await signUpFan(test, 20_000);
    await startTestSubscription(fan, tierId, { ...period, renewal: price });
    expect(await getFunds(test, fan)).toBe(20_000 - Math.round(price * 100));
    expect((await listOwn(test, fan)).data).toMatchObject([{ ...period, nextCharge: { amount: price } }]);
  });

  it.each([
    ['a period that is not offered', { recurrence: 'yearly' }, 'VALIDATION'],
    ['a bundle that is not offered', { count: 6 }, 'VALIDATION'],
    ['another renewal price', { today: 12, renewal: 11 }, 'CONFLICT'],
    ['another price of today', { today: 0 }, 'CONFLICT'],
    ['an unknown time zone', { timeZone: 'Europe/Nowhere' }, 'VALIDATION'],
  ] as const)('refuses %s', async (_, options, code) => {
    const tierId = await createTier();
    const fan = await signUpFan(test, 5_000);
    expect(getCode(await subscribeTo(fan, tierId, options))).toBe(code);
    expect(await getFunds(test, fan)).toBe(5_000);
  });

  it('is free without renewals for a free tier, and canceling ends it at once', async () => {
    const tierId = await createTier({ prices: { weekly: null, monthaly: null, yearly: null } });
    const fan = await signUpFan(test);
    const id = await startTestSubscription(fan, tierId, { renewal: 0 });
    expect((await listOwn(test, fan)).data).toMatchObject([
      { state: 'active', isFree: true, isRenewing: false, paidUntil: null, nextCharge: null },
    ]);
    expect(await listOpenSubjects(test, fan)).toContain(creator.id);
    const responses = await Promise.all([1, 2].map(() => changeSubscription(test, fan, id, 'cancel')));
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect(responses[0]?.json()).toMatchObject({ state: 'ended', endReason: 'canceled' });
    expect(await listOpenSubjects(test, fan)).toEqual([]);
  });
});

describe('a trial', () => {
  it('is free, and there is one for each fan and creator', async () => {
    const tierId = await createTier({ trialDays: 7 });
    const other = await createTestTier(creator, { trialDays: 14 });
    const fan = await signUpFan(test, 5_000);
    const response = await subscribeTo(fan, tierId, { today: 0, timeZone: 'Europe/Paris' });
    expect(response.json()).toMatchObject({ transactionId: null, deposit: 50 });
    const [trial] = (await listOwn(test, fan)).data;
    expect(trial).toMatchObject({ state: 'trial', nextCharge: { amount: 12 }, refundableUntil: null });
    await changeSubscription(test, fan, trial?.id ?? '', 'cancel');
    test.clock.advance(8 * DAY_MS);
    const again = await test.logIn(fan);
    expect(getCode(await subscribeTo(again, other, { today: 0 }))).toBe('CONFLICT');
    expect(getCode(await subscribeTo(again, other))).toBe('OK');
    expect(await getFunds(test, fan)).toBe(3_800);
  });

  it('is given once when two tabs start one at the same time', async () => {
    const first = await createTier({ trialDays: 7 });
    const second = await createTestTier(creator, { trialDays: 7 });
    const fan = await signUpFan(test);
    const responses = await Promise.all([first, second].map((id) => subscribeTo(fan, id, { today: 0 })));
    expect(responses.map(getCode).toSorted()).toEqual(['CONFLICT', 'OK']);
  });
});

describe('a tier that changes while a fan pays', () => {
  const update = (tierId: string, body: object) =>
    creator.inject('PUT', `/api/creator/subscription-tiers/${tierId}`, { ...MONTHLY_TIER, ...body });
  /** Holds the tier, so that the change and then the payment wait for it in this order. */
  async function payAfter(tierId: string, change: () => Promise<{ statusCode: number }>, fan: TestUser) {
    const { promise: isChanged, resolve: finishChange } = Promise.withResolvers<{ statusCode: number }>();
    const paying = await test.owner.transaction(async (tx) => {
      await tx.query.selectFrom('subscription_tiers').select('id').where('id', '=', tierId).forUpdate().execute();
      finishChange(change());
      await waitForBlockedQueries(test, 1);
      const payment = subscribeTo(fan, tierId);
      await waitForBlockedQueries(test, 2);
      return { payment };
    });
    expect((await isChanged).statusCode).toBe(200);
    return paying.payment;
  }

  it.each([
    ['its price', { prices: { weekly: null, monthaly: 15, yearly: null } }],
    ['its trial', { trialDays: 3 }],
    ['that it is closed', { isOpen: false }],
  ])('refuses and charges nothing after a change of %s', async (_, body) => {
    const tierId = await createTier();
    const fan = await signUpFan(test, 5_000);
    const response = await payAfter(tierId, () => update(tierId, body), fan);
    expect(getCode(response)).toBe('CONFLICT');
    expect(await getFunds(test, fan)).toBe(5_000);
  });

  it('refuses and charges nothing after its deletion', async () => {
    const tierId = await createTier();
    const fan = await signUpFan(test, 5_000);
    const response = await payAfter(
      tierId,
      () => creator.inject('DELETE', `/api/creator/subscription-tiers/${tierId}`),
      fan,
    );
    expect(getCode(response)).toBe('CONFLICT');
    expect(getCode(await subscribeTo(fan, tierId))).toBe('CONFLICT');
    expect(await getFunds(test, fan)).toBe(5_000);
  });
});

describe('access', () => {
  it('to a subscription of another fan is refused as to one that does not exist', async () => {
    const tierId = await createTier();
    const [fan, stranger] = [await signUpFan(test, 5_000), await signUpFan(test, 5_000)];
    const id = await startTestSubscription(fan, tierId);
    for (const action of ['cancel', 'resume', 'pay', 'refund', 'accept-price'] as const) {
      const body = action === 'accept-price' ? { price: 12 } : {};
      const [theirs, none] = await Promise.all(
        [id, randomUUID()].map((one) => changeSubscription(test, stranger, one, action, { body })),
      );
      expect([theirs?.statusCode, theirs?.json()]).toEqual([404, none?.json()]);
    }
    expect((await listOwn(test, fan)).data).toMatchObject([{ state: 'active', isRenewing: true }]);
    expect(getCode(await subscribeTo(stranger, randomUUID()))).toBe('NOT_FOUND');
    expect(await listPeriods(test, id)).toHaveLength(1);
  });

  it('to the tiers of creators who are hidden in the fan’s country is refused', async () => {
    const tierId = await createTier();
    const fan = await signUpFan(test, 5_000);
    expect((await creator.inject('PUT', '/api/creator/geo-blocks', { codes: ['DE'] })).statusCode).toBe(200);
    await test.ctx.events.waitUntilIdle();
    const subscribeFrom = (address: string) => subscribeTo(fan, tierId, { address });
    expect(getCode(await subscribeFrom('84.128.1.1'))).toBe('NOT_FOUND');
    expect(getCode(await subscribeFrom('17.0.0.1'))).toBe('OK');
  });

  it('to the tiers of blocked and unverified creators is refused', async () => {
    const fan = await signUpFan(test, 5_000);
    const blocking = await createTier();
    const block = { fan_id: fan.id, creator_id: creator.id, since: test.clock.now() };
    await test.owner.query.insertInto('blocks').values(block).execute();
    expect(getCode(await subscribeTo(fan, blocking))).toBe('NOT_FOUND');
    const blocked = await createTier();
    await test.owner.query.updateTable('users').set({ is_blocked: true }).where('id', '=', creator.id).execute();
    expect(getCode(await subscribeTo(fan, blocked))).toBe('NOT_FOUND');
    const unverified = await createTier();
    await test.owner.query.deleteFrom('verifications').where('creator_id', '=', creator.id).execute();
    expect(getCode(await subscribeTo(fan, unverified))).toBe('CONFLICT');
    expect(await getFunds(test, fan)).toBe(5_000);
  });
});
