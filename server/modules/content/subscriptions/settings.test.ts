import type { SubscriptionSettings } from '@stagedoor/contract/admin/subscription-settings.ts';
import type { PriceLimits } from '@stagedoor/contract/shared/prices.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { renewDueSubscriptions } from './renewals.ts';
import {
  addFunds,
  createTestTier,
  expectBalancedLedger,
  getFunds,
  getSubscription,
  HOUR_MS,
  MONTHLY_TIER,
  signUpFan,
  startTestSubscription,
} from './testing.ts';

const URL = '/api/admin/subscription-settings';
const PRICES_URL = '/api/admin/price-limits';
const TIERS_URL = '/api/creator/subscription-tiers';
const reason = 'As the board decided';
const DEFAULTS: SubscriptionSettings = {
  ...{ trialDaysMax: 30, refundHours: 24 },
  ...{ firstRetryHours: 24, secondRetryHours: 48, thirdRetryHours: 72, graceHours: 120 },
};
let test: TestApp;
let owner: TestUser;
let creator: TestUser;

beforeAll(async () => {
  test = await createTestApp({ now: new Date('2020-01-31T12:00:00Z') });
});
afterAll(() => test.close());
beforeEach(async () => {
  [owner, creator] = await Promise.all([test.signUp('operator'), test.signUp('creator')]);
});
afterEach(async () => {
  await setSettings(DEFAULTS);
  await expectBalancedLedger(test);
});

const getSettings = async (): Promise<SubscriptionSettings> => (await owner.inject('GET', URL)).json();
async function putSettings(change: Partial<SubscriptionSettings>, by = owner, from?: SubscriptionSettings) {
  const before = from ?? (await getSettings());
  return by.inject('PUT', URL, { from: before, to: { ...before, ...change }, reason });
}
async function setSettings(change: Partial<SubscriptionSettings>): Promise<void> {
  const response = await putSettings(change);
  expect(response.statusCode, response.body).toBe(200);
}
async function setPrices(subscription: { min: number; max: number }): Promise<void> {
  const before: PriceLimits = (await owner.inject('GET', PRICES_URL)).json();
  const response = await owner.inject('PUT', PRICES_URL, { from: before, to: { ...before, subscription }, reason });
  expect(response.statusCode, response.body).toBe(200);
}
const create = (body: object) =>
  creator.inject('POST', TIERS_URL, { ...MONTHLY_TIER, ...body }, { 'idempotency-key': crypto.randomUUID() });
const renewAt = async (time: Date) => {
  test.clock.set(time);
  await renewDueSubscriptions(test.ctx);
};
async function startUnpaidRenewal(): Promise<{ fan: TestUser; id: string; paidUntil: Date }> {
  const fan = await signUpFan(test, 1_200);
  const id = await startTestSubscription(fan, await createTestTier(creator));
  const { paidUntil } = await getSubscription(test, id);
  return { fan, id, paidUntil: new Date(String(paidUntil)) };
}

describe('changing the settings', () => {
  it('is for owners, who see each other’s changes, and is logged with a reason', async () => {
    expect(await getSettings()).toEqual(DEFAULTS);
    const finance = await test.signUp('operator', { roles: ['finance'] });
    expect((await finance.inject('GET', URL)).json()).toEqual(DEFAULTS);
    expect((await putSettings({ refundHours: 12 }, finance)).statusCode).toBe(403);
    await setSettings({ refundHours: 12 });
    expect((await putSettings({ refundHours: 6 }, owner, DEFAULTS)).json().code).toBe('CONFLICT');
    const { data } = (await finance.inject('GET', '/api/admin/fee-changes?group=subscriptions&limit=1')).json();
    expect(data[0]).toMatchObject({
      action: 'settings.subscriptions',
      details: { refundHours: 12, refundHoursBefore: 24, reason },
    });
  });

  it('refuses attempts that are not in order, and a grace of a week', async () => {
    expect((await putSettings({ secondRetryHours: 24 })).json().error).toMatchObject([
      { field: 'to.secondRetryHours' },
    ]);
    expect((await putSettings({ graceHours: 168 })).json().code).toBe('VALIDATION');
    expect(await getSettings()).toEqual(DEFAULTS);
  });
});

describe('limits of tiers', () => {
  afterEach(() => setPrices({ min: 3, max: 100 }));

  it('apply to new prices but not to existing ones, and are twelve times as high for a year', async () => {
    const id = await createTestTier(creator, { prices: { weekly: 3, monthaly: 12, yearly: 120 } });
    await setPrices({ min: 5, max: 10 });
    const [month, year] = [
      { weekly: null, monthaly: 12, yearly: null },
      { weekly: null, monthaly: null, yearly: 120.5 },
    ];
    expect((await create({ prices: month })).json().error).toEqual([
      { field: 'prices.monthaly', message: 'A subscription costs between $5.00 and $10.00' },
    ]);
    expect((await create({ prices: year })).json().error).toEqual([
      { field: 'prices.yearly', message: 'A subscription costs between $5.00 and $120.00' },
    ]);
    expect((await create({ prices: { ...year, yearly: 120 } })).statusCode).toBe(200);
    const unchanged = { ...MONTHLY_TIER, name: 'Other', prices: { weekly: 3, monthaly: 12, yearly: 120 } };
    expect((await creator.inject('PUT', `${TIERS_URL}/${id}`, unchanged)).statusCode).toBe(200);
    const raised = { ...unchanged, prices: { ...unchanged.prices, weekly: 4 } };
    expect((await creator.inject('PUT', `${TIERS_URL}/${id}`, raised)).json().code).toBe('VALIDATION');
  });

  it('apply to new trials and spare those that exist', async () => {
    const id = await createTestTier(creator, { trialDays: 20 });
    await setSettings({ trialDaysMax: 14 });
    expect((await create({ trialDays: 15 })).json().error).toEqual([
      { field: 'trialDays', message: 'At most 14 days' },
    ]);
    const update = (trialDays: number) => creator.inject('PUT', `${TIERS_URL}/${id}`, { ...MONTHLY_TIER, trialDays });
    expect((await update(20)).statusCode).toBe(200);
    expect((await update(19)).statusCode).toBe(400);
    expect((await update(14)).json()).toMatchObject({ trialDaysMax: 14 });
  });
});

describe('a failed renewal', () => {
  it('is tried at the hours that are set now, with access until the last', async () => {
    const { id, paidUntil } = await startUnpaidRenewal();
    await setSettings({ firstRetryHours: 2, secondRetryHours: 4, thirdRetryHours: 6, graceHours: 8 });
    const at = (hours: number) => new Date(paidUntil.getTime() + hours * HOUR_MS);
    await renewAt(paidUntil);
    expect((await getSubscription(test, id)).failure).toMatchObject({
      nextAttemptAt: at(2).toISOString(),
      endsAt: at(8).toISOString(),
    });
    // A longer grace than the one that was granted with the last charge.
    await setSettings(DEFAULTS);
    await renewAt(at(2));
    const grants = test.ctx.db.query
      .selectFrom('entitlement_grants')
      .select('until')
      .where('granted_by', '=', creator.id);
    expect(new Set((await grants.execute()).map(({ until }) => until?.getTime()))).toEqual(
      new Set([at(120).getTime()]),
    );
    for (const hours of [24, 48, 72, 119]) await renewAt(at(hours));
    expect((await getSubscription(test, id)).state).toBe('pastDue');
    await renewAt(at(120));
    expect(await getSubscription(test, id)).toMatchObject({ state: 'ended', endReason: 'unpaid' });
  });
});

describe('a refund', () => {
  const refund = (fan: TestUser, id: string) =>
    fan.inject('POST', `/api/customer/subscriptions/${id}/refund`, {}, { 'idempotency-key': crypto.randomUUID() });

  it('is possible for the hours that are set, and never for 0', async () => {
    const { fan, id } = await startUnpaidRenewal();
    await setSettings({ refundHours: 0 });
    expect((await getSubscription(test, id)).refundableUntil).toBeNull();
    expect((await refund(fan, id)).json().code).toBe('CONFLICT');
    await setSettings({ refundHours: 1 });
    await addFunds(test, fan, 100);
    expect((await refund(fan, id)).statusCode).toBe(200);
    expect(await getFunds(test, fan)).toBe(1_300);
  });
});
