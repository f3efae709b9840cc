import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { setKillSwitch } from '../../commerce/site-status/index.ts';
import { toPeriodId } from './period-ids.ts';
import { renewDueSubscriptions } from './renewals.ts';
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

beforeAll(async () => {
  // So early that the clock stays before the present, as it is for the database.
  test = await createTestApp({ now: new Date('2020-01-31T12:00:00Z') });
  creator = await test.signUp('creator');
});
afterAll(() => test.close());
afterEach(() => expectBalancedLedger(test));

const renew = () => renewDueSubscriptions(test.ctx);
async function renewAt(time: string): Promise<void> {
  test.clock.set(new Date(time));
  await renew();
}
/** Each test has creators of its own, because it moves the clock. */
async function startWith(
  cents: number,
  { from, body = {}, ...options }: StartOptions = {},
): Promise<{ fan: TestUser; id: string; tierId: string }> {
  if (from) test.clock.set(new Date(from));
  creator = await test.signUp('creator');
  const tierId = await createTestTier(creator, body);
  const fan = await signUpFan(test, cents);
  return { fan, tierId, id: await startTestSubscription(fan, tierId, options) };
}
type StartOptions = NonNullable<Parameters<typeof subscribeTo>[2]> & {
  from?: string;
  body?: Parameters<typeof createTestTier>[1];
};
const listEnds = async (id: string) => (await listPeriods(test, id)).map((period) => period.ends_at.toISOString());

describe('dates of renewals', () => {
  const YEARLY = { prices: { weekly: null, monthaly: null, yearly: 12 } };
  const WEEKLY = { prices: { weekly: 12, monthaly: null, yearly: null } };
  const BUNDLES = { bundles: [{ months: 3 as const, percentOff: 50 }] };

  it.each<[string, StartOptions, string[]]>([
    [
      'return to the 31st after shorter months',
      { from: '2020-01-31T10:00:00Z' },
      ['2020-02-29T10:00:00.000Z', '2020-03-31T10:00:00.000Z', '2020-04-30T10:00:00.000Z', '2020-05-31T10:00:00.000Z'],
    ],
    [
      'end February on the 28th in other years',
      { from: '2021-01-31T10:00:00Z' },
      ['2021-02-28T10:00:00.000Z', '2021-03-31T10:00:00.000Z'],
    ],
    [
      'return to 29 February in leap years',
      { from: '2020-02-29T10:00:00Z', recurrence: 'yearly', body: YEARLY },
      ['2021-02-28T10:00:00.000Z', '2022-02-28T10:00:00.000Z', '2023-02-28T10:00:00.000Z', '2024-02-29T10:00:00.000Z'],
    ],
    [
      'stay at the local time across daylight saving',
      { from: '2020-03-20T09:00:00Z', recurrence: 'weekly', timeZone: 'Europe/Paris', body: WEEKLY },
      ['2020-03-27T09:00:00.000Z', '2020-04-03T08:00:00.000Z', '2020-04-10T08:00:00.000Z'],
    ],
    [
      'return from a local time that a day does not have',
      { from: '2020-03-01T07:30:00Z', recurrence: 'weekly', timeZone: 'America/New_York', body: WEEKLY },
      ['2020-03-08T07:30:00.000Z', '2020-03-15T06:30:00.000Z'],
    ],
    [
      'use the day of the fan’s zone at the end of a month',
      { from: '2020-01-31T23:30:00Z', timeZone: 'Pacific/Auckland' },
      ['2020-02-29T23:30:00.000Z', '2020-03-31T23:30:00.000Z', '2020-05-01T00:30:00.000Z'],
    ],
    [
      'come after all months of a bundle',
      { from: '2020-11-30T10:00:00Z', count: 3, renewal: 18, body: BUNDLES },
      ['2021-02-28T10:00:00.000Z', '2021-05-30T10:00:00.000Z'],
    ],
  ])('%s', async (_, options, ends) => {
    const { fan, id } = await startWith(20_000, options);
    for (const end of ends.slice(0, -1)) await renewAt(end);
    expect(await listEnds(id)).toEqual(ends);
    expect(await getFunds(test, fan)).toBe(20_000 - ends.length * Math.round((options.renewal ?? 12) * 100));
    await changeSubscription(test, fan, id, 'cancel');
  });

  it('of every time zone that can be chosen are known to the database', async () => {
    const zones = Intl.supportedValuesOf('timeZone');
    const { rows } = await test.ctx.db.pool.query<{ count: number }>(
      `select count(subscription_boundary('2024-01-31T10:00:00Z', zone, 'monthaly', 1, 1))::int as count from unnest($1::text[]) as zone`,
      [zones],
    );
    expect(rows).toEqual([{ count: zones.length }]);
  });

  it('are first charged when a trial ends, from then on by month', async () => {
    const options = { today: 0, timeZone: 'Europe/Paris', body: { trialDays: 10 } };
    const { fan, id } = await startWith(5_000, { from: '2021-03-21T12:00:00Z', ...options });
    await renewAt('2021-03-31T10:59:59Z');
    expect(await getSubscription(test, id)).toMatchObject({ state: 'trial', paidUntil: '2021-03-31T11:00:00.000Z' });
    expect(await getFunds(test, fan)).toBe(5_000);
    await renewAt('2021-03-31T11:00:00Z');
    expect(await getSubscription(test, id)).toMatchObject({ state: 'active', paidUntil: '2021-04-30T11:00:00.000Z' });
    await renewAt('2021-04-30T11:00:00Z');
    expect(await getFunds(test, fan)).toBe(2_600);
    expect((await listEnds(id)).at(-1)).toBe('2021-05-31T11:00:00.000Z');
  });
});

describe('renewals', () => {
  it('charge once when jobs run at the same time and again', async () => {
    const { fan, id } = await startWith(5_000);
    test.clock.advance(31 * DAY_MS);
    await Promise.all([renew(), renew(), renew()]);
    await renew();
    expect(await getFunds(test, fan)).toBe(2_600);
    expect(await listPeriods(test, id)).toHaveLength(2);
  });

  it('leave what another process has locked to it', async () => {
    const locked = await startWith(5_000);
    const other = await startWith(5_000);
    test.clock.advance(32 * DAY_MS);
    await test.owner.transaction(async (tx) => {
      await tx.query.selectFrom('subscriptions').select('id').where('id', '=', locked.id).forUpdate().execute();
      // With all of a full batch locked, this would not return.
      await renew();
      expect([await listPeriods(test, locked.id), await listPeriods(test, other.id)].map((all) => all.length)).toEqual([
        1, 2,
      ]);
    });
    await renew();
    expect(await getFunds(test, locked.fan)).toBe(2_600);
  });

  it('are tried at 0, 24, 48, 72 and 120 hours, and then the subscription ends', async () => {
    const { fan, id } = await startWith(1_200, { from: '2022-01-10T10:00:00Z' });
    const attempts: string[] = [];
    for (let hour = 0; hour <= 121; hour += 1) {
      test.clock.set(new Date(Date.parse('2022-02-10T10:00:00Z') + hour * HOUR_MS));
      const before = await getSubscription(test, id);
      await renew();
      const after = await getSubscription(test, id);
      if (JSON.stringify(after) !== JSON.stringify(before)) attempts.push(`${hour} ${after.state}`);
      expect(await listOpenSubjects(test, fan)).toHaveLength(hour < 120 ? 2 : 0);
    }
    expect(attempts).toEqual(['0 pastDue', '24 pastDue', '48 pastDue', '72 pastDue', '120 ended']);
    expect(await getSubscription(test, id)).toMatchObject({ endReason: 'unpaid', nextCharge: null });
    expect(await getFunds(test, fan)).toBe(0);
  });

  it('continue the period that was due when funds arrive in between', async () => {
    const { fan, id } = await startWith(1_200, { from: '2022-03-10T10:00:00Z' });
    await renewAt('2022-04-10T10:00:00Z');
    await addFunds(test, fan, 1_500);
    await renewAt('2022-04-11T10:00:00Z');
    expect(await getSubscription(test, id)).toMatchObject({ state: 'active', paidUntil: '2022-05-10T10:00:00.000Z' });
    expect(await getFunds(test, fan)).toBe(300);
  });

  it('skip attempts that were missed instead of giving up early', async () => {
    const { id } = await startWith(1_200, { from: '2022-03-10T10:00:00Z' });
    await renewAt('2022-04-11T20:00:00Z');
    const { failure } = await getSubscription(test, id);
    expect(failure).toMatchObject({
      nextAttemptAt: '2022-04-12T10:00:00.000Z',
      endsAt: '2022-04-15T10:00:00.000Z',
    });
  });

  it('charge once, for the period that contains now, if nothing ran for months', async () => {
    const { fan, id } = await startWith(10_000, { from: '2022-01-31T10:00:00Z' });
    await renewAt('2022-06-15T00:00:00Z');
    await renew();
    expect(await getFunds(test, fan)).toBe(7_600);
    const [, current] = await listPeriods(test, id);
    expect(current).toMatchObject({
      number: 5,
      starts_at: new Date('2022-05-31T10:00:00Z'),
      ends_at: new Date('2022-06-30T10:00:00Z'),
    });
    expect(await listOpenSubjects(test, fan)).toHaveLength(2);
  });

  it('charge nothing twice when the clock jumps forward and back', async () => {
    const { fan, id } = await startWith(10_000, { from: '2022-01-15T10:00:00Z' });
    await renewAt('2022-03-20T10:00:00Z');
    for (const time of ['2022-01-16T10:00:00Z', '2022-02-15T10:00:00Z', '2022-03-20T11:00:00Z']) await renewAt(time);
    expect(await getFunds(test, fan)).toBe(7_600);
    await renewAt('2022-04-15T10:00:00Z');
    expect(await listEnds(id)).toEqual([
      '2022-02-15T10:00:00.000Z',
      '2022-04-15T10:00:00.000Z',
      '2022-05-15T10:00:00.000Z',
    ]);
  });

  it('count a refused charge as a failed attempt, and do not delay others', async () => {
    const { fan, id } = await startWith(5_000);
    const other = await startWith(5_000);
    test.clock.advance(20 * DAY_MS);
    const key = { 'idempotency-key': toPeriodId(id, 2) };
    const { inject } = await test.logIn(fan);
    const tip = await inject('POST', `/api/tip/customer-send/${creator.id}`, { amount: 5, type: 'profile' }, key);
    expect(tip.statusCode).toBe(200);
    test.clock.advance(12 * DAY_MS);
    await renew();
    expect((await getSubscription(test, id)).state).toBe('pastDue');
    expect(await getFunds(test, other.fan)).toBe(2_600);
  });

  it('throw an unexpected error after the others were handled', async () => {
    const broken = await startWith(5_000);
    const other = await startWith(5_000);
    const set = (zone: string) =>
      test.owner.query.updateTable('subscriptions').set({ time_zone: zone }).where('id', '=', broken.id).execute();
    await set('Nowhere/At All');
    test.clock.advance(32 * DAY_MS);
    await expect(renew()).rejects.toThrow('Nowhere/At All');
    expect(await getFunds(test, other.fan)).toBe(2_600);
    await set('UTC');
    await renew();
    expect(await getFunds(test, broken.fan)).toBe(2_600);
  });

  it.each([
    [
      'a deleted tier',
      'tierDeleted',
      ({ tierId }: { tierId: string }) =>
        test.owner.query
          .updateTable('subscription_tiers')
          .set({ deleted_at: test.clock.now(), position: null })
          .where('id', '=', tierId)
          .execute(),
    ],
    [
      'a blocked creator',
      'creatorUnavailable',
      () => test.owner.query.updateTable('users').set({ is_blocked: true }).where('id', '=', creator.id).execute(),
    ],
    [
      'a creator without verification',
      'creatorUnavailable',
      () => test.owner.query.deleteFrom('verifications').where('creator_id', '=', creator.id).execute(),
    ],
    [
      'a blocked fan',
      'blocked',
      ({ fan }: { fan: TestUser }) =>
        test.owner.query.updateTable('users').set({ is_blocked: true }).where('id', '=', fan.id).execute(),
    ],
    [
      'a blocked pair',
      'blocked',
      ({ fan }: { fan: TestUser }) =>
        test.owner.query
          .insertInto('blocks')
          .values({ fan_id: fan.id, creator_id: creator.id, since: test.clock.now() })
          .execute(),
    ],
    [
      'a price that was not accepted',
      'priceChange',
      ({ id }: { id: string }) =>
        test.owner.query
          .updateTable('subscriptions')
          .set({ new_price_cents: 1_500, new_price_from: test.clock.now() })
          .where('id', '=', id)
          .execute(),
    ],
  ] as const)('end with %s and charge nothing', async (_, reason, prepare) => {
    const started = await startWith(5_000);
    await prepare(started);
    test.clock.advance(31 * DAY_MS);
    await renew();
    expect(await getSubscription(test, started.id)).toMatchObject({ state: 'ended', endReason: reason });
    expect(await getFunds(test, started.fan)).toBe(3_800);
    expect(await listOpenSubjects(test, started.fan)).toEqual([]);
  });
});

describe('the kill switch', () => {
  const set = async (isDisabled: boolean) => {
    const owner = await test.signUp('operator');
    const state = (disabled: boolean) => ({ isDisabled: disabled, message: '' });
    const change = { from: state(!isDisabled), to: state(isDisabled), reason: 'A test' };
    await setKillSwitch(test.ctx, owner.id, 'subscriptions', change);
  };

  it('pauses subscribing, paying and renewals, and afterwards each is charged once', async () => {
    const renewing = await startWith(10_000, { from: '2023-01-31T10:00:00Z' });
    const canceled = await startWith(10_000);
    const failed = await startWith(1_200);
    await changeSubscription(test, canceled.fan, canceled.id, 'cancel');
    await renewAt('2023-02-28T10:00:00Z');
    await set(true);
    for (const time of ['2023-03-31T10:00:00Z', '2023-04-30T10:00:00Z']) await renewAt(time);
    expect(await getFunds(test, renewing.fan)).toBe(7_600);
    expect((await getSubscription(test, canceled.id)).state).toBe('ended');
    await addFunds(test, failed.fan, 5_000);
    const responses = [
      await changeSubscription(test, failed.fan, failed.id, 'pay'),
      await subscribeTo(await signUpFan(test, 5_000), renewing.tierId),
    ];
    for (const response of responses)
      expect([response.statusCode, response.json().code]).toEqual([503, 'FEATURE_DISABLED']);
    await set(false);
    test.clock.set(new Date('2023-05-02T10:00:00Z'));
    await Promise.all([renew(), renew()]);
    expect(await getFunds(test, renewing.fan)).toBe(6_400);
    expect(await getFunds(test, failed.fan)).toBe(3_800);
    expect((await getSubscription(test, renewing.id)).paidUntil).toBe('2023-05-31T10:00:00.000Z');
  });
});

it('sums the charges of the next 30 days, also several of one subscription', async () => {
  const prices = { weekly: 5, monthaly: 12, yearly: null };
  const { fan } = await startWith(20_000, { from: '2023-06-30T10:00:00Z', body: { prices } });
  const weekly = await createTestTier(await test.signUp('creator'), { prices });
  await startTestSubscription(fan, weekly, { recurrence: 'weekly', renewal: 5 });
  const { next30Days, perMonth, perYear } = await listOwn(test, fan);
  expect({ next30Days, perMonth, perYear }).toEqual({ next30Days: 12 + 4 * 5, perMonth: 33.67, perYear: 404 });
});
