import type { MissedRenewals } from '@stagedoor/contract/admin/kill-switches.ts';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type App, createApp } from '../../../app.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { listMailSubjects, listNotificationKinds } from '../../../testing/inbox.ts';
import { renewDueSubscriptions } from './renewals.ts';
import {
  createTestOffer,
  createTestTier,
  expectBalancedLedger,
  getFunds,
  getSubscription,
  listOpenSubjects,
  listPeriods,
  signUpFan,
  startTestSubscription,
} from './testing.ts';

let test: TestApp;
let other: App;

beforeAll(async () => {
  test = await createTestApp({ now: new Date('2020-01-31T12:00:00Z') });
  const { config, log } = test.ctx;
  other = await createApp({ config, databaseUrl: test.databaseUrl, log, clock: test.clock, hasPages: false });
});
afterAll(async () => {
  await other.close();
  await test.close();
});
afterEach(() => expectBalancedLedger(test));

const setSubscriptions = async (isDisabled: boolean, missedRenewals?: MissedRenewals) => {
  const owner = await test.signUp('operator');
  const toState = (state: boolean) => ({ isDisabled: state, message: '' });
  const body = { from: toState(!isDisabled), to: toState(isDisabled), reason: 'A test', missedRenewals };
  const response = await owner.inject('PUT', '/api/admin/kill-switches/subscriptions', body);
  expect(response.statusCode, response.body).toBe(200);
  other.ctx.siteStatus.invalidate();
  const { data } = (await owner.inject('GET', '/api/admin/audit?action=switch&subjectId=subscriptions&limit=1')).json();
  return data[0].details;
};
const getPaused = async () =>
  (await (await test.signUp('operator')).inject('GET', '/api/admin/subscription-overview')).json().paused;
const renewAt = async (time: string) => {
  test.clock.set(new Date(time));
  await Promise.all([renewDueSubscriptions(test.ctx), renewDueSubscriptions(other.ctx)]);
};
async function start(cents: number): Promise<{ fan: TestUser; id: string }> {
  const fan = await signUpFan(test, cents);
  const tierId = await createTestTier(await test.signUp('creator'));
  return { fan, id: await startTestSubscription(fan, tierId) };
}

it('resumed renewals can waive what fell due meanwhile, once in two processes, and charges at the following boundary', async () => {
  test.clock.set(new Date('2021-01-31T10:00:00Z'));
  const missed = await start(10_000);
  const failing = await start(1_200);
  test.clock.set(new Date('2021-02-02T10:00:00Z'));
  const later = await start(10_000);
  await renewAt('2021-02-28T10:00:00Z');
  expect((await getSubscription(test, failing.id)).state).toBe('pastDue');
  expect(await setSubscriptions(true)).not.toHaveProperty('missedCount');
  await renewAt('2021-03-31T12:00:00Z');
  // Both that are due and have not failed before: the first since 31 March, the other since 2 March.
  expect(await getPaused()).toEqual({ count: 2, amount: 24, since: '2021-02-28T10:00:00.000Z' });
  expect(await setSubscriptions(false, 'waive')).toMatchObject({
    missedRenewals: 'waive',
    missedCount: 2,
    missedCents: 2_400,
  });
  expect(await getPaused()).toBeNull();
  await renewAt('2021-04-01T10:00:00Z');
  expect(await getSubscription(test, missed.id)).toMatchObject({
    ...{ state: 'active', isRenewing: true, paidUntil: '2021-04-30T10:00:00.000Z', refundableUntil: null },
    nextCharge: { at: '2021-04-30T10:00:00.000Z', amount: 12 },
  });
  expect((await getSubscription(test, later.id)).paidUntil).toBe('2021-04-02T10:00:00.000Z');
  expect(await listOpenSubjects(test, missed.fan)).toHaveLength(2);
  await test.ctx.events.waitUntilIdle();
  expect(await listNotificationKinds(test, missed.fan)).toContain('periodWaived');
  expect(await listMailSubjects(test, missed.fan)).toContain('Your current period is free');
  expect(await listMailSubjects(test, failing.fan)).not.toContain('Your current period is free');
  expect([await getFunds(test, missed.fan), await getFunds(test, later.fan)]).toEqual([7_600, 8_800]);
  await renewAt('2021-04-02T10:00:00Z');
  await renewAt('2021-04-30T10:00:00Z');
  expect([await getFunds(test, missed.fan), await getFunds(test, later.fan)]).toEqual([6_400, 7_600]);
  expect((await listPeriods(test, missed.id)).map(({ number }) => number)).toEqual([1, 2, 4]);
  expect(await getSubscription(test, failing.id)).toMatchObject({ state: 'ended', endReason: 'unpaid' });
});

it('resumed renewals charge a missed one once by default', async () => {
  test.clock.set(new Date('2022-01-31T10:00:00Z'));
  const { fan, id } = await start(10_000);
  await setSubscriptions(true);
  await renewAt('2022-05-01T10:00:00Z');
  expect(await setSubscriptions(false)).toMatchObject({ missedRenewals: 'charge', missedCount: 1, missedCents: 1_200 });
  await renewAt('2022-05-01T10:01:00Z');
  expect(await getFunds(test, fan)).toBe(7_600);
  expect((await getSubscription(test, id)).paidUntil).toBe('2022-05-31T10:00:00.000Z');
});

it.each([
  { missedRenewals: 'charge' as const, year: 2024, prices: [600, 600, 1_200, 1_200] },
  { missedRenewals: 'waive' as const, year: 2025, prices: [600, 600, 600] },
])('counts discounted charges but not waived ones: $missedRenewals', async ({ missedRenewals, year, prices }) => {
  test.clock.set(new Date(`${year}-01-15T10:00:00Z`));
  const creator = await test.signUp('creator');
  const tierId = await createTestTier(creator);
  await createTestOffer(creator, test.clock.now(), { periods: missedRenewals === 'charge' ? 2 : 3 });
  const fan = await signUpFan(test, 10_000);
  const id = await startTestSubscription(fan, tierId, { offer: 'SPRING', today: 6, renewal: 6 });
  await setSubscriptions(true);
  await renewAt(`${year}-02-15T12:00:00Z`);
  expect((await getPaused()).amount).toBe(6);
  expect((await setSubscriptions(false, missedRenewals)).missedCents).toBe(600);
  await renewAt(`${year}-02-15T12:01:00Z`);
  await renewAt(`${year}-03-15T10:00:00Z`);
  await renewAt(`${year}-04-15T10:00:00Z`);
  const paid = (await listPeriods(test, id)).map((period) => period.price_cents);
  expect(paid).toEqual(prices);
});

it('resumed renewals can make the first period free after a trial that ended during the pause', async () => {
  test.clock.set(new Date('2023-01-01T10:00:00Z'));
  const fan = await signUpFan(test, 5_000);
  const tierId = await createTestTier(await test.signUp('creator'), { trialDays: 7 });
  const id = await startTestSubscription(fan, tierId, { today: 0 });
  await setSubscriptions(true);
  await renewAt('2023-01-08T12:00:00Z');
  await setSubscriptions(false, 'waive');
  await renewAt('2023-01-08T12:01:00Z');
  expect(await getSubscription(test, id)).toMatchObject({ state: 'active', paidUntil: '2023-02-08T10:00:00.000Z' });
  expect(await getFunds(test, fan)).toBe(5_000);
  await renewAt('2023-02-08T10:00:00Z');
  expect(await getFunds(test, fan)).toBe(3_800);
});
