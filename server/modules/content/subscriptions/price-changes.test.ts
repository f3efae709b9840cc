import type { TierBody } from '@stagedoor/contract/content/subscription-tiers.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { listMailSubjects, listNotificationKinds } from '../../../testing/inbox.ts';
import { applyTierPrices } from './price-changes.ts';
import { remindFans } from './reminders.ts';
import { renewDueSubscriptions } from './renewals.ts';
import {
  createScene,
  getFunds,
  getSubscription,
  listGrantedIds,
  signUpFan,
  startSubscription,
} from './scenes.testing.ts';
import { createTestTier, MONTHLY_TIER } from './testing.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ now: new Date('2027-01-31T12:00:00Z') });
});
afterAll(() => app.close());

async function updateTier(creator: TestUser, tierId: string, body: Partial<TierBody>): Promise<void> {
  const user = await app.logIn(creator);
  const response = await user.inject('PUT', `/api/creator/subscription-tiers/${tierId}`, { ...MONTHLY_TIER, ...body });
  expect(response.statusCode, response.body).toBe(200);
  await app.ctx.events.waitUntilIdle();
}
const setMonthly = (creator: TestUser, tierId: string, monthaly: number) =>
  updateTier(creator, tierId, { prices: { weekly: null, monthaly, yearly: null } });
async function orderTiers(creator: TestUser, ids: string[]): Promise<void> {
  const response = await creator.inject('PUT', '/api/creator/subscription-tiers-order', { ids });
  expect(response.statusCode, response.body).toBe(200);
  await app.ctx.events.waitUntilIdle();
}
async function renewOn(iso: string): Promise<void> {
  app.clock.set(new Date(iso));
  await renewDueSubscriptions(app.ctx);
}

describe('a higher price', () => {
  it('applies from the first renewal after 30 days, and ends the subscription if the fan does not accept it', async () => {
    app.clock.set(new Date('2027-01-31T12:00:00Z'));
    const { creator, fan, tierId, subscriptionId } = await createScene(app);
    app.clock.set(new Date('2027-02-05T12:00:00Z'));
    await setMonthly(creator, tierId, 15);
    expect(await getSubscription(app, subscriptionId)).toMatchObject({
      price_cents: 1_200,
      new_price_cents: 1_500,
      new_price_from: new Date('2027-03-31T12:00:00Z'),
    });
    await applyTierPrices(app.ctx, tierId, null);
    expect(await listMailSubjects(app, fan)).toEqual(['The price of your subscription changes']);
    expect(await listNotificationKinds(app, fan)).toContain('newPrice');
    await renewOn('2027-02-28T12:00:00Z');
    expect(await getFunds(app, fan)).toBe(10_000 - 2_400);
    app.clock.set(new Date('2027-03-28T12:00:00Z'));
    await remindFans(app.ctx);
    await remindFans(app.ctx);
    expect(await listMailSubjects(app, fan)).toEqual([
      'The price of your subscription changes',
      'Accept the new price to keep your subscription',
    ]);
    await renewOn('2027-03-31T12:00:00Z');
    expect(await getSubscription(app, subscriptionId)).toMatchObject({ end_reason: 'priceChange' });
    expect(await getFunds(app, fan)).toBe(10_000 - 2_400);
  });

  it('cannot be avoided by blocking and unblocking the creator', async () => {
    const { creator, fan, tierId, subscriptionId } = await createScene(app);
    await setMonthly(creator, tierId, 15);
    const user = await app.logIn(fan);
    for (const isBlocked of [true, false]) {
      await user.inject('POST', `/api/message/block-unblock-creator/${creator.id}`, { isBlocked });
      await app.ctx.events.waitUntilIdle();
    }
    const resumed = await user.inject('POST', `/api/customer/subscriptions/${subscriptionId}/resume`);
    expect(resumed.json(), resumed.body).toMatchObject({ isRenewing: true, newPrice: { price: 15 } });
  });

  it('is withdrawn when the old price comes back', async () => {
    const { creator, fan, tierId, subscriptionId } = await createScene(app);
    await setMonthly(creator, tierId, 15);
    await setMonthly(creator, tierId, 12);
    expect(await getSubscription(app, subscriptionId)).toMatchObject({ price_cents: 1_200, new_price_cents: null });
    expect(await listMailSubjects(app, fan)).toEqual([
      'The price of your subscription changes',
      'Your subscription keeps its price',
    ]);
  });

  it('is withdrawn when the period is no longer offered', async () => {
    const { creator, tierId, subscriptionId } = await createScene(app);
    await setMonthly(creator, tierId, 15);
    await updateTier(creator, tierId, { prices: { weekly: 5, monthaly: null, yearly: null } });
    expect(await getSubscription(app, subscriptionId)).toMatchObject({
      price_cents: 1_200,
      new_price_cents: null,
      is_renewing: true,
    });
  });

  it('of a bundle comes from its monthly price', async () => {
    const tier = { bundles: [{ months: 3 as const, percentOff: 50 }] };
    const { creator, tierId, subscriptionId } = await createScene(app, { tier, options: { count: 3, renewal: 18 } });
    await updateTier(creator, tierId, { ...tier, prices: { weekly: null, monthaly: 14, yearly: null } });
    expect(await getSubscription(app, subscriptionId)).toMatchObject({ price_cents: 1_800, new_price_cents: 2_100 });
  });
});

describe('a lower price', () => {
  it('is charged at the next renewal', async () => {
    app.clock.set(new Date('2027-06-01T12:00:00Z'));
    const { creator, fan, tierId, subscriptionId } = await createScene(app);
    await setMonthly(creator, tierId, 8);
    expect(await getSubscription(app, subscriptionId)).toMatchObject({ price_cents: 800, new_price_cents: null });
    expect(await listMailSubjects(app, fan)).toEqual(['Your subscription costs less']);
    await renewOn('2027-07-01T12:00:00Z');
    expect(await getFunds(app, fan)).toBe(10_000 - 1_200 - 800);
  });
});

describe('the order of tiers', () => {
  it('decides what running subscriptions open', async () => {
    const { creator, fan, tierId: low } = await createScene(app);
    const high = await createTestTier(creator, {
      name: 'Studio',
      prices: { weekly: null, monthaly: 20, yearly: null },
    });
    const top = await signUpFan(app);
    await startSubscription(top, high, { renewal: 20 });
    await app.ctx.events.waitUntilIdle();
    expect(await listGrantedIds(app, fan)).toEqual([creator.id, low].toSorted());
    expect(await listGrantedIds(app, top)).toEqual([creator.id, low, high].toSorted());
    await orderTiers(creator, [high, low]);
    expect(await listGrantedIds(app, fan)).toEqual([creator.id, low, high].toSorted());
    expect(await listGrantedIds(app, top)).toEqual([creator.id, high].toSorted());
    await orderTiers(creator, [low, high]);
    expect(await listGrantedIds(app, fan)).toEqual([creator.id, low].toSorted());
    expect(await listGrantedIds(app, top)).toEqual([creator.id, low, high].toSorted());
  });

  it('leaves to subscribers what they have of a deleted tier', async () => {
    const { creator, tierId: low } = await createScene(app);
    const high = await createTestTier(creator, {
      name: 'Studio',
      prices: { weekly: null, monthaly: 20, yearly: null },
    });
    const top = await signUpFan(app);
    await startSubscription(top, high, { renewal: 20 });
    await creator.inject('DELETE', `/api/creator/subscription-tiers/${low}`);
    await app.ctx.events.waitUntilIdle();
    expect(await listGrantedIds(app, top)).toEqual([creator.id, low, high].toSorted());
  });
});
