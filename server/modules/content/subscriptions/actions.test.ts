import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { waitForBlockedQueries } from '../../../testing/locks.ts';
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
  listPeriods,
  signUpFan,
  startTestSubscription,
} from './testing.ts';

let test: TestApp;
let creator: TestUser;
let tierId: string;
let fan: TestUser;
let id: string;

beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());
afterEach(() => expectBalancedLedger(test));

async function start(cents = 5_000): Promise<void> {
  // A month of 30 days.
  test.clock.set(new Date('2021-04-01T12:00:00Z'));
  creator = await test.signUp('creator');
  tierId = await createTestTier(creator);
  fan = await signUpFan(test, cents);
  id = await startTestSubscription(fan, tierId);
}
const change = (action: Parameters<typeof changeSubscription>[3], options?: { body?: object; key?: string }) =>
  changeSubscription(test, fan, id, action, options);
const changeTwice = async (action: Parameters<typeof changeSubscription>[3], body?: object) =>
  (await Promise.all([1, 2].map(() => change(action, body && { body })))).map(({ statusCode }) => statusCode);
const renew = () => renewDueSubscriptions(test.ctx);
const lockRow = (work: () => Promise<void>) =>
  test.owner.transaction(async (tx) => {
    await tx.query.selectFrom('subscriptions').select('id').where('id', '=', id).forUpdate().execute();
    await work();
  });
const open = () => markOpened(test.ctx.db, fan.id, creator.id, test.clock.now());
const setNewPrice = (cents: number, from = test.clock.now()) =>
  test.owner.query
    .updateTable('subscriptions')
    .set({ new_price_cents: cents, new_price_from: from })
    .where('id', '=', id)
    .execute();

describe('canceling', () => {
  it('leaves access until the end of the paid period, charges nothing more, and can be undone, also with double clicks', async () => {
    await start();
    expect(await changeTwice('cancel')).toEqual([200, 200]);
    expect(await getSubscription(test, id)).toMatchObject({ isRenewing: false, nextCharge: null, state: 'active' });
    expect(await changeTwice('resume')).toEqual([200, 200]);
    expect(await getSubscription(test, id)).toMatchObject({ isRenewing: true, nextCharge: { amount: 12 } });
    await change('cancel');
    test.clock.advance(30 * DAY_MS - 1);
    expect(await listOpenSubjects(test, fan)).toHaveLength(2);
    test.clock.advance(1);
    expect(await listOpenSubjects(test, fan)).toEqual([]);
    await renew();
    expect(await getSubscription(test, id)).toMatchObject({ state: 'ended', endReason: 'canceled' });
    expect((await change('resume')).json().code).toBe('CONFLICT');
    expect(await getFunds(test, fan)).toBe(3_800);
  });

  it('at the same time as the renewal either prevents it or leaves access for the new period', async () => {
    await start();
    test.clock.advance(30 * DAY_MS);
    await change('cancel');
    await renew();
    expect(await getFunds(test, fan)).toBe(3_800);
    expect(await getSubscription(test, id)).toMatchObject({ state: 'ended', endReason: 'canceled' });
    await start();
    test.clock.advance(30 * DAY_MS + 1);
    await Promise.all([renew(), change('cancel')]);
    const [periods, after] = [await listPeriods(test, id), await getSubscription(test, id)];
    expect(after).toMatchObject(periods.length === 1 ? { state: 'ended' } : { state: 'active', isRenewing: false });
    expect(await getFunds(test, fan)).toBe(5_000 - 1_200 * periods.length);
  });

  it('of an unpaid subscription ends it at once', async () => {
    await start(1_200);
    test.clock.advance(31 * DAY_MS);
    await renew();
    await change('cancel');
    expect(await getSubscription(test, id)).toMatchObject({ state: 'ended', endReason: 'canceled' });
    expect(await listOpenSubjects(test, fan)).toEqual([]);
  });

  it('cannot be undone when the tier was deleted', async () => {
    await start();
    await change('cancel');
    await creator.inject('DELETE', `/api/creator/subscription-tiers/${tierId}`);
    expect((await change('resume')).json().code).toBe('CONFLICT');
    expect(await getSubscription(test, id)).toMatchObject({ isRenewing: false });
  });
});

describe('paying', () => {
  async function fail(): Promise<void> {
    await start(1_200);
    test.clock.advance(31 * DAY_MS);
    await renew();
    expect((await change('pay')).json().code).toBe('INSUFFICIENT_FUNDS');
    await addFunds(test, fan, 5_000);
  }

  it('charges once with a double click, and a repeated request returns the same result', async () => {
    await fail();
    const keys = [randomUUID(), randomUUID()];
    const responses = await Promise.all(keys.map((key) => change('pay', { key })));
    expect(responses.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409]);
    expect(await getFunds(test, fan)).toBe(3_800);
    const paidKey = keys[responses.findIndex(({ statusCode }) => statusCode === 200)] ?? '';
    expect((await change('pay', { key: paidKey })).json()).toMatchObject({
      deposit: 38,
      subscription: { state: 'active' },
    });
    expect((await change('refund', { key: paidKey })).json().code).toBe('CONFLICT');
    expect(await listPeriods(test, id)).toHaveLength(2);
  });

  it('at the same time as the retry charges once', async () => {
    await fail();
    test.clock.advance(DAY_MS);
    await Promise.all([renew(), change('pay'), renew()]);
    expect(await getFunds(test, fan)).toBe(3_800);
    expect(await getSubscription(test, id)).toMatchObject({ state: 'active', failure: null });
  });

  it('is refused if nothing is due, and for what cannot be renewed', async () => {
    await start();
    expect((await change('pay')).json().code).toBe('CONFLICT');
    await fail();
    await creator.inject('DELETE', `/api/creator/subscription-tiers/${tierId}`);
    await test.owner.query
      .updateTable('subscription_tiers')
      .set({ deleted_at: test.clock.now(), position: null })
      .where('id', '=', tierId)
      .execute();
    expect((await change('pay')).json().code).toBe('CONFLICT');
    expect(await getFunds(test, fan)).toBe(5_000);
  });
});

describe('accepting a price', () => {
  it('applies from the next renewal, also with a double click', async () => {
    await start();
    await setNewPrice(1_500);
    expect((await change('accept-price', { body: { price: 14 } })).json().code).toBe('CONFLICT');
    expect(await changeTwice('accept-price', { price: 15 })).toEqual([200, 200]);
    expect(await getSubscription(test, id)).toMatchObject({ newPrice: null, nextCharge: { amount: 15 } });
    expect(await getFunds(test, fan)).toBe(3_800);
    test.clock.advance(30 * DAY_MS);
    await renew();
    expect(await getFunds(test, fan)).toBe(2_300);
  });

  it('does not raise a renewal before the new price applies', async () => {
    await start();
    const from = new Date(test.clock.now().getTime() + 50 * DAY_MS);
    await setNewPrice(1_500, from);
    expect((await change('accept-price', { body: { price: 15 } })).statusCode).toBe(200);
    expect(await getSubscription(test, id)).toMatchObject({ newPrice: null, nextCharge: { amount: 12 } });
    test.clock.advance(31 * DAY_MS);
    await renew();
    expect(await getFunds(test, fan)).toBe(2_600);
    test.clock.advance(31 * DAY_MS);
    await renew();
    expect(await getFunds(test, fan)).toBe(1_100);
  });

  it('at the moment of the renewal either renews with the new price or comes too late', async () => {
    await start();
    await setNewPrice(1_500);
    test.clock.advance(30 * DAY_MS);
    const [response] = await Promise.all([change('accept-price', { body: { price: 15 } }), renew()]);
    await renew();
    const { state } = await getSubscription(test, id);
    expect([response.statusCode, state, await getFunds(test, fan)]).toEqual(
      response.statusCode === 200 ? [200, 'active', 2_300] : [409, 'ended', 3_800],
    );
  });
});

describe('a refund', () => {
  it('returns the last charge within 24 hours and ends access, once', async () => {
    await start();
    test.clock.advance(24 * HOUR_MS - 1);
    const key = randomUUID();
    const responses = await Promise.all([1, 2].map(() => change('refund', { key })));
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect((await change('refund')).json().code).toBe('CONFLICT');
    expect(await getFunds(test, fan)).toBe(5_000);
    expect(await getSubscription(test, id)).toMatchObject({ state: 'ended', endReason: 'refunded' });
    expect(await listOpenSubjects(test, fan)).toEqual([]);
  });

  it('is refused after 24 hours, and after something was opened', async () => {
    await start();
    test.clock.advance(24 * HOUR_MS);
    expect((await change('refund')).json().code).toBe('CONFLICT');
    await start();
    expect([await open(), await open()]).toEqual([true, true]);
    expect((await getSubscription(test, id)).refundableUntil).toBeNull();
    expect((await change('refund')).json().code).toBe('CONFLICT');
    expect(await getFunds(test, fan)).toBe(3_800);
  });

  it('of a renewal returns that period only', async () => {
    await start();
    await open();
    test.clock.advance(30 * DAY_MS);
    await renew();
    expect((await change('refund')).statusCode).toBe(200);
    expect(await getFunds(test, fan)).toBe(3_800);
    expect(await listPeriods(test, id)).toMatchObject([{ refunded_cents: 0 }, { refunded_cents: 1_200 }]);
  });

  it('that comes before a post is opened wins, and the post stays locked', async () => {
    await start();
    let opening: Promise<boolean> | undefined;
    let refunding: ReturnType<typeof change> | undefined;
    await lockRow(async () => {
      refunding = change('refund');
      await waitForBlockedQueries(test, 1);
      opening = open();
      await waitForBlockedQueries(test, 2);
    });
    expect((await refunding)?.statusCode).toBe(200);
    expect(await opening).toBe(false);
    expect(await getFunds(test, fan)).toBe(5_000);
  });

  it('that comes after a post was opened is refused', async () => {
    await start();
    let opening: Promise<boolean> | undefined;
    let refunding: ReturnType<typeof change> | undefined;
    await lockRow(async () => {
      opening = open();
      await waitForBlockedQueries(test, 1);
      refunding = change('refund');
      await waitForBlockedQueries(test, 2);
    });
    expect(await opening).toBe(true);
    expect((await refunding)?.json().code).toBe('CONFLICT');
    expect(await getFunds(test, fan)).toBe(3_800);
  });
});
