/** Subscriptions that start with the code of an offer: who can use it, and what each charge costs. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { listMailSubjects } from '../../../testing/inbox.ts';
import { remindFans } from './reminders.ts';
import { renewDueSubscriptions } from './renewals.ts';
import {
  addFunds,
  changeSubscription,
  createTestOffer,
  createTestTier,
  DAY_MS,
  expectBalancedLedger,
  getFunds,
  getSubscription,
  listOwn,
  listPeriods,
  signUpFan,
  startTestSubscription,
  subscribeTo,
} from './testing.ts';

const START = new Date('2027-01-31T12:00:00Z');
let test: TestApp;
let creator: TestUser;
let tierId: string;

beforeAll(async () => {
  test = await createTestApp({ now: START });
});
afterAll(async () => {
  await expectBalancedLedger(test);
  await test.close();
});
beforeEach(async () => {
  test.clock.set(START);
  creator = await test.signUp('creator');
  tierId = await createTestTier(creator);
});

const offer = (body: Parameters<typeof createTestOffer>[2] = {}) => createTestOffer(creator, test.clock.now(), body);
const SPRING = { offer: 'SPRING', today: 6, renewal: 6 } as const;
const listPrices = async (id: string) => (await listPeriods(test, id)).map((period) => period.price_cents);
async function countUses(): Promise<number[]> {
  const rows = await test.ctx.db.query
    .selectFrom('subscription_offers')
    .select('use_count')
    .where('creator_id', '=', creator.id)
    .orderBy('id')
    .execute();
  return rows.map((row) => row.use_count);
}
async function renewUntil(at: string): Promise<void> {
  test.clock.set(new Date(at));
  await renewDueSubscriptions(test.ctx);
}

describe('the charges', () => {
  it('are discounted for the periods of the offer, then cost the full price', async () => {
    await offer({ percentOff: 33 });
    const fan = await signUpFan(test, 10_000);
    const id = await startTestSubscription(fan, tierId, { offer: 'spring', today: 8.04, renewal: 8.04 });
    expect(await getSubscription(test, id)).toMatchObject({
      price: 12,
      discount: { percentOff: 33, periodsLeft: 2 },
      nextCharge: { amount: 8.04 },
    });
    for (const at of ['2027-02-28T12:00:00Z', '2027-03-31T12:00:00Z']) await renewUntil(at);
    expect(await getSubscription(test, id)).toMatchObject({ discount: null, nextCharge: { amount: 12 } });
    for (const at of ['2027-04-30T12:00:00Z', '2027-05-31T12:00:00Z']) await renewUntil(at);
    expect(await listPrices(id)).toEqual([804, 804, 804, 1200, 1200]);
    expect(await getFunds(test, fan)).toBe(10_000 - 3 * 804 - 2 * 1200);
  });

  it('are discounted from the first one after a trial', async () => {
    const trial = await createTestTier(creator, { trialDays: 7 });
    await offer({ periods: 1 });
    const fan = await signUpFan(test, 10_000);
    const id = await startTestSubscription(fan, trial, { offer: 'SPRING', today: 0, renewal: 6 });
    expect(await getSubscription(test, id)).toMatchObject({ state: 'trial', nextCharge: { amount: 6 } });
    await renewUntil('2027-02-07T12:00:00Z');
    await renewUntil('2027-03-07T12:00:00Z');
    expect(await listPrices(id)).toEqual([600, 1200]);
  });

  it('are retried at the discounted price when the balance was empty', async () => {
    await offer();
    const fan = await signUpFan(test, 600);
    const id = await startTestSubscription(fan, tierId, SPRING);
    await renewUntil('2027-02-28T12:00:00Z');
    expect(await getSubscription(test, id)).toMatchObject({ state: 'pastDue', failure: { amount: 6 } });
    await addFunds(test, fan, 600);
    expect((await changeSubscription(test, fan, id, 'pay')).statusCode).toBe(200);
    expect(await getFunds(test, fan)).toBe(0);
    expect((await getSubscription(test, id)).discount).toEqual({ percentOff: 50, periodsLeft: 1 });
  });

  it('are discounted from a new full price after the fan has accepted it', async () => {
    await offer({ periods: 12 });
    const fan = await signUpFan(test, 10_000);
    const id = await startTestSubscription(fan, tierId, SPRING);
    await creator.inject('PUT', `/api/creator/subscription-tiers/${tierId}`, {
      ...{ name: 'Kiln', benefits: [], bundles: [], trialDays: null, slots: null, isOpen: true },
      prices: { weekly: null, monthaly: 20, yearly: null },
    });
    await test.ctx.events.waitUntilIdle();
    expect((await changeSubscription(test, fan, id, 'accept-price', { body: { price: 20 } })).statusCode).toBe(200);
    for (const at of ['2027-02-28T12:00:00Z', '2027-03-31T12:00:00Z']) await renewUntil(at);
    expect(await listPrices(id)).toEqual([600, 600, 1000]);
  });

  it('are part of the totals that the fan sees', async () => {
    await offer({ periods: 2 });
    const weekly = await createTestTier(creator, { prices: { weekly: 8, monthaly: null, yearly: null } });
    const fan = await signUpFan(test, 10_000);
    await startTestSubscription(fan, weekly, {
      ...{ recurrence: 'weekly', offer: 'SPRING', today: 4, renewal: 4, afterOffer: 8 },
    });
    // One more week at $4.00, then three within 30 days at $8.00.
    expect(await listOwn(test, fan)).toMatchObject({ next30Days: 28, perYear: 8 * 52 - 4, perMonth: 17.33 });
  });
});

describe('a code', () => {
  it('is refused with the same message when it is unknown, closed, ended, used up or for another tier', async () => {
    const other = await createTestTier(creator);
    await offer({ code: 'OTHER', tierId: other as never });
    await offer({ code: 'ENDED', endsAt: new Date(START.getTime() + 1_000).toISOString() });
    await offer({ code: 'ONCE', maxUses: 1 });
    await offer({ code: 'CLOSED' });
    await offer({ code: 'RETURN', audience: 'returning' });
    const { offers } = (await creator.inject('GET', '/api/creator/subscription-offers')).json();
    const closedId = offers.find(({ code }: { code: string }) => code === 'CLOSED').id;
    await creator.inject('POST', `/api/creator/subscription-offers/${closedId}/close`);
    await startTestSubscription(await signUpFan(test, 600), tierId, { ...SPRING, offer: 'ONCE' });
    test.clock.advance(2_000);
    const fan = await signUpFan(test, 10_000);
    for (const code of ['UNKNOWN', 'OTHER', 'ENDED', 'ONCE', 'CLOSED', 'RETURN']) {
      const response = await subscribeTo(fan, tierId, { ...SPRING, offer: code });
      expect(response.statusCode, code).toBe(409);
      expect(response.json().message).toBe('You can’t use this code any more. You weren’t charged.');
    }
    expect(await getFunds(test, fan)).toBe(10_000);
    expect(await countUses()).toEqual([0, 0, 1, 0, 0]);
  });

  it('is refused to returning fans if it is for new ones, and to new fans if it is for returning ones', async () => {
    await offer({ code: 'NEW', audience: 'new' });
    await offer({ code: 'BACK', audience: 'returning' });
    const fan = await signUpFan(test, 10_000);
    const id = await startTestSubscription(fan, tierId, { ...SPRING, offer: 'NEW' });
    const higher = await createTestTier(creator);
    for (const code of ['NEW', 'BACK'])
      expect((await subscribeTo(fan, higher, { ...SPRING, offer: code })).statusCode).toBe(409);
    await changeSubscription(test, fan, id, 'refund');
    expect((await subscribeTo(fan, tierId, { ...SPRING, offer: 'NEW' })).statusCode).toBe(409);
    expect((await subscribeTo(fan, tierId, { ...SPRING, offer: 'BACK' })).statusCode).toBe(200);
  });

  it('can be used once by a fan, even after a full refund', async () => {
    await offer({ maxUses: 1 });
    const fan = await signUpFan(test, 10_000);
    const id = await startTestSubscription(fan, tierId, SPRING);
    expect((await changeSubscription(test, fan, id, 'refund')).statusCode).toBe(200);
    expect(await getFunds(test, fan)).toBe(10_000);
    expect(await countUses()).toEqual([1]);
    expect((await subscribeTo(await signUpFan(test, 600), tierId, SPRING)).statusCode).toBe(409);
    expect((await subscribeTo(fan, tierId, SPRING)).statusCode).toBe(409);
  });

  it('cannot be used again after a cancellation, even before the job has ended the subscription', async () => {
    await offer();
    const fan = await signUpFan(test, 10_000);
    const id = await startTestSubscription(fan, tierId, SPRING);
    await changeSubscription(test, fan, id, 'cancel');
    test.clock.set(new Date('2027-03-01T12:00:00Z'));
    const again = async () => subscribeTo(await test.logIn(fan), tierId, SPRING);
    expect((await again()).statusCode).toBe(409);
    await renewDueSubscriptions(test.ctx);
    expect((await again()).statusCode).toBe(409);
    expect(await listPrices(id)).toEqual([600]);
  });

  it('is refused if the fan saw other prices, including the price after the discount', async () => {
    await offer({ periods: 1 });
    const fan = await signUpFan(test, 10_000);
    for (const terms of [
      { today: 12, renewal: 12 },
      { today: 6, renewal: 6 },
      { today: 6, renewal: 12, afterOffer: 11.99 },
    ])
      expect((await subscribeTo(fan, tierId, { offer: 'SPRING', ...terms })).json()).toMatchObject({
        code: 'CONFLICT',
        message: expect.stringMatching(/terms have changed/),
      });
    expect(await countUses()).toEqual([0]);
    expect((await subscribeTo(fan, tierId, { offer: 'SPRING', today: 6, renewal: 12 })).statusCode).toBe(200);
  });

  it('is refused for a period that would cost less than the lowest price', async () => {
    await offer();
    const weekly = await createTestTier(creator, { prices: { weekly: 5.98, monthaly: 6, yearly: null } });
    const fan = await signUpFan(test, 1_000);
    const terms = { offer: 'SPRING', recurrence: 'weekly', today: 2.99, renewal: 2.99, afterOffer: 5.98 } as const;
    expect((await subscribeTo(fan, weekly, terms)).statusCode).toBe(409);
    expect([await getFunds(test, fan), await countUses()]).toEqual([1_000, [0]]);
    const monthly = { offer: 'SPRING', today: 3, renewal: 3, afterOffer: 6 };
    expect((await subscribeTo(fan, weekly, monthly)).statusCode).toBe(200);
  });

  it('does not apply to a free tier', async () => {
    await offer();
    const free = await createTestTier(creator, { prices: { weekly: null, monthaly: null, yearly: null } });
    const fan = await signUpFan(test);
    const terms = { offer: 'SPRING', today: 0, renewal: 0, afterOffer: 0 };
    expect((await subscribeTo(fan, free, terms)).statusCode).toBe(409);
  });
});

describe('concurrent requests', () => {
  it('use the last use of an offer once and charge only that fan', async () => {
    await offer({ maxUses: 1 });
    const fans = await Promise.all([signUpFan(test, 600), signUpFan(test, 600)]);
    const statuses = (await Promise.all(fans.map((fan) => subscribeTo(fan, tierId, SPRING)))).map(
      ({ statusCode }) => statusCode,
    );
    expect(statuses.sort()).toEqual([200, 409]);
    const funds = await Promise.all(fans.map((fan) => getFunds(test, fan)));
    expect(funds.sort()).toEqual([0, 600]);
    expect(await countUses()).toEqual([1]);
  });

  it('from several tabs subscribe and charge once', async () => {
    await offer();
    const other = await createTestTier(creator);
    const fan = await signUpFan(test, 10_000);
    const results = await Promise.all([
      subscribeTo(fan, tierId, SPRING),
      subscribeTo(fan, tierId, SPRING),
      subscribeTo(fan, other, SPRING),
    ]);
    expect(results.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expect(await getFunds(test, fan)).toBe(9_400);
    expect(await countUses()).toEqual([1]);
  });

  it('with the same idempotency key count one use', async () => {
    await offer();
    const fan = await signUpFan(test, 10_000);
    const key = crypto.randomUUID();
    const results = await Promise.all([
      subscribeTo(fan, tierId, { ...SPRING, key }),
      subscribeTo(fan, tierId, { ...SPRING, key }),
    ]);
    expect(new Set(results.map((result) => result.json().subscription.id)).size).toBe(1);
    expect(await countUses()).toEqual([1]);
  });

  it('either subscribe with an offer or are refused when the creator closes it meanwhile', async () => {
    await offer();
    const { offers } = (await creator.inject('GET', '/api/creator/subscription-offers')).json();
    const fan = await signUpFan(test, 600);
    const [subscribed, closed] = await Promise.all([
      subscribeTo(fan, tierId, SPRING),
      creator.inject('POST', `/api/creator/subscription-offers/${offers[0].id}/close`),
    ]);
    expect(closed.statusCode).toBe(200);
    expect([
      [200, 0],
      [409, 600],
    ]).toContainEqual([subscribed.statusCode, await getFunds(test, fan)]);
    expect((await subscribeTo(await signUpFan(test, 600), tierId, SPRING)).statusCode).toBe(409);
  });
});

describe('the discount', () => {
  it('ends when the fan changes to another tier', async () => {
    await offer();
    const fan = await signUpFan(test, 10_000);
    await startTestSubscription(fan, tierId, SPRING);
    const higher = await createTestTier(creator, { prices: { weekly: null, monthaly: 20, yearly: null } });
    const id = await startTestSubscription(fan, higher, { renewal: 20 });
    expect(await getSubscription(test, id)).toMatchObject({ discount: null, nextCharge: { amount: 20 } });
  });

  it('continues after an undone cancellation and after the offer is closed', async () => {
    await offer();
    const fan = await signUpFan(test, 10_000);
    const id = await startTestSubscription(fan, tierId, SPRING);
    const { offers } = (await creator.inject('GET', '/api/creator/subscription-offers')).json();
    await creator.inject('POST', `/api/creator/subscription-offers/${offers[0].id}/close`);
    await changeSubscription(test, fan, id, 'cancel');
    await changeSubscription(test, fan, id, 'resume');
    expect(await getSubscription(test, id)).toMatchObject({ nextCharge: { amount: 6 } });
  });

  it('decides which renewals the fan is reminded of, and its end has a reminder of its own', async () => {
    await offer({ periods: 2 });
    const tier = await createTestTier(creator, { prices: { weekly: null, monthaly: 30, yearly: null } });
    const fan = await signUpFan(test, 10_000);
    await startTestSubscription(fan, tier, { offer: 'SPRING', today: 15, renewal: 15, afterOffer: 30 });
    await test.ctx.events.waitUntilIdle();
    const remindAt = async (at: string) => {
      test.clock.set(new Date(at));
      await remindFans(test.ctx);
      return (await listMailSubjects(test, fan)).filter((subject) => /soon/.test(subject));
    };
    expect(await remindAt('2027-02-26T12:00:00Z')).toEqual([]);
    await renewUntil('2027-02-28T12:00:00Z');
    expect(await remindAt('2027-03-29T12:00:00Z')).toEqual(['Your discount ends soon']);
    await renewUntil('2027-03-31T12:00:00Z');
    expect(await remindAt('2027-04-28T12:00:00Z')).toEqual([
      'Your discount ends soon',
      'Your subscription renews soon',
    ]);
  });

  it('is shown in the figures of the creator', async () => {
    await offer({ periods: 1 });
    const fan = await signUpFan(test, 10_000);
    await startTestSubscription(fan, tierId, { offer: 'SPRING', today: 6, renewal: 12 });
    const figures = (await creator.inject('GET', '/api/creator/subscription-figures')).json();
    expect(figures).toMatchObject({
      monthlyRecurring: 6,
      tiers: [{ perMonth: 12 }],
      offers: { count: 1, saved: 6 },
      expected: { renewals: { count: 1, amount: 12 } },
    });
    expect((await creator.inject('GET', '/api/creator/subscribers')).json()).toMatchObject({
      data: [{ price: 6, offerCode: 'SPRING' }],
      perMonth: 6,
    });
    const file = await creator.inject('GET', '/api/creator/subscribers/file');
    expect(file.body).toContain(',Kiln,Monthly,6.00,SPRING,Balance,Active,');
    test.clock.advance(DAY_MS);
  });
});
