import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { renewDueSubscriptions } from '../../content/subscriptions/index.ts';
import { createTestTier, subscribeTo } from '../../content/subscriptions/testing.ts';
import { createDelegatedSession, joinTeam } from '../../identity/teams/testing.ts';
import { createDeposit } from '../../ledger/ledger/testing.ts';

const DAY_MS = 86_400_000;
const FIGURES = '/api/creator/subscription-figures';
const LIST = '/api/creator/subscribers';
let test: TestApp;
let creator: TestUser;
const fans = new Map<string, TestUser>();

async function signUpFan(name: string, cents: number): Promise<TestUser> {
  const fan = await test.signUp('customer', { name });
  await createDeposit(test.ctx.db, fan.id, cents);
  fans.set(name, fan);
  return fan;
}

/** On 20 February: Ada and Cem (a bundle) renew, Bo’s renewal failed for good, Dot is on a trial, Eve canceled. */
beforeAll(async () => {
  test = await createTestApp({ now: new Date('2026-01-10T12:00:00.000Z') });
  creator = await test.signUp('creator');
  const kiln = await createTestTier(creator, { bundles: [{ months: 3, percentOff: 10 }] });
  const studio = await createTestTier(creator, {
    name: 'Studio',
    prices: { weekly: null, monthaly: 6, yearly: null },
    trialDays: 7,
  });
  await subscribeTo(await signUpFan('Ada', 10_000), kiln);
  await subscribeTo(await signUpFan('Bo', 1_200), kiln);
  await subscribeTo(await signUpFan('Cem', 10_000), kiln, { count: 3, renewal: 32.4 });
  for (let day = 0; day < 41; day += 1) {
    test.clock.advance(DAY_MS);
    await renewDueSubscriptions(test.ctx);
  }
  await subscribeTo(await signUpFan('Dot', 10_000), studio, { renewal: 6, today: 0 });
  const eve = await signUpFan('=cmd|"/c calc"!A1', 10_000);
  const { subscription } = (await subscribeTo(eve, kiln)).json();
  await eve.inject('POST', `/api/customer/subscriptions/${subscription.id}/cancel`);
  creator = await test.logIn(creator);
}, 60_000);
afterAll(() => test.close());

describe('the figures', () => {
  it('add up: recurring income is the sum of the tiers minus the savings of bundles, and expected income is itemized', async () => {
    const figures = (await creator.inject('GET', FIGURES)).json();
    const { feePercent } = figures.expected;
    expect(figures).toMatchObject({
      monthlyRecurring: 22.8,
      recurringChange: -12,
      subscriberCount: 4,
      newCount: 2,
      churn: { left: 1, of: 3, percent: 33.3 },
      previousChurn: { left: 0, of: 0, percent: null },
      tiers: [
        { name: 'Kiln', monthlyPrice: 12, subscriberCount: 3, perMonth: 24 },
        { name: 'Studio', monthlyPrice: 6, subscriberCount: 1, perMonth: 0 },
      ],
      bundles: { count: 1, saved: 1.2 },
      expected: {
        renewals: { count: 2, amount: 24 },
        trials: { count: 1, amount: 3, stayPercent: 50, isMeasured: false },
        losses: { count: 1, amount: 12 },
        fee: (15 * feePercent) / 100,
        yours: 15 - (15 * feePercent) / 100,
      },
    });
  });

  it('show past months at the prices paid then, and the share of each month’s new fans who stayed', async () => {
    const { months, cohorts } = (await creator.inject('GET', FIGURES)).json();
    expect(months).toHaveLength(12);
    expect(months.slice(-3)).toEqual([
      { month: '2025-12', amount: 0 },
      { month: '2026-01', amount: 34.8 },
      { month: '2026-02', amount: 22.8 },
    ]);
    expect(cohorts).toEqual([
      { month: '2026-01', fanCount: 3, shares: [67] },
      { month: '2026-02', fanCount: 2, shares: [] },
    ]);
  });

  it('are empty for a creator without subscribers', async () => {
    const other = await test.signUp('creator');
    expect((await other.inject('GET', FIGURES)).json()).toMatchObject({
      monthlyRecurring: 0,
      churn: { percent: null },
      tiers: [],
      cohorts: [],
    });
    expect((await other.inject('GET', LIST)).json()).toMatchObject({ data: [], totalCount: 0 });
  });
});

type Row = { fan: { id: string; name: string }; paid: number; endReason: string | null };
const list = async (query = ''): Promise<{ data: Row[]; counts: object; perMonth: number; nextOffset?: string }> =>
  (await creator.inject('GET', `${LIST}${query}`)).json();
const listNames = async (query: string) => (await list(query)).data.map(({ fan }) => fan.name.slice(0, 4));

describe('the list', () => {
  it('sorts by renewal, by what was paid and by joining, and pages', async () => {
    expect(await listNames('')).toEqual(['Dot', 'Ada', '=cmd', 'Cem']);
    expect(await listNames('?sort=since')).toEqual(['=cmd', 'Dot', 'Cem', 'Ada']);
    const page = await list('?sort=paid&limit=2');
    expect(page.data.map(({ paid }) => paid)).toEqual([32.4, 24]);
    const next = await list(`?sort=paid&limit=2&offset=${page.nextOffset}`);
    expect(next.data.map(({ paid }) => paid)).toEqual([12, 0]);
    expect(next.nextOffset).toBeUndefined();
  });

  it('filters, with counts of all filters and what the chosen one is worth per month', async () => {
    const canceled = await list('?filter=canceled');
    expect(canceled.counts).toEqual({ all: 4, new: 2, trial: 1, pastDue: 0, canceled: 1, ended: 1 });
    expect(canceled.perMonth).toBe(12);
    expect(await listNames('?filter=trial')).toEqual(['Dot']);
    expect(await listNames('?filter=new&sort=since')).toEqual(['=cmd', 'Dot']);
    expect((await list('?filter=ended')).data).toMatchObject([{ fan: { name: 'Bo' }, endReason: 'unpaid', paid: 12 }]);
  });

  it('does not reveal a block or a chargeback as the reason of an end', async () => {
    const setReason = (reason: string) =>
      test.owner.pool.query('update subscriptions set end_reason = $2 where fan_id = $1', [fans.get('Bo')?.id, reason]);
    for (const reason of ['blocked', 'chargeback', 'accountDeleted']) {
      await setReason(reason);
      expect((await list('?filter=ended')).data).toMatchObject([{ endReason: 'other' }]);
    }
    await setReason('unpaid');
  });
});

describe('the file', () => {
  it('lists the filtered subscribers and protects spreadsheets from formulas', async () => {
    const response = await creator.inject('GET', `${LIST}/file?filter=canceled`);
    expect(response.headers['content-type']).toBe('text/csv; charset=utf-8');
    const [head, row, end] = response.body.split('\r\n');
    expect(head).toMatch(/^\uFEFFName,Username,Tier,Period,Price,Offer,Paid by,Status/);
    expect(row).toMatch(/^"'=cmd\|""\/c calc""!A1",.*,Kiln,Monthly,12\.00,,Balance,Canceled,2026-02-20 12:00:00,/);
    expect(end).toBe('');
    expect((await creator.inject('GET', `${LIST}/file`)).body.split('\r\n')).toHaveLength(6);
  });
});

describe('access', () => {
  const urls = [FIGURES, LIST, `${LIST}/file`];
  const requestAll = (user: TestUser) =>
    Promise.all(urls.map(async (url) => (await user.inject('GET', url)).statusCode));

  it('is for the creator and team members who may see figures', async () => {
    const member = await test.signUp('customer');
    await joinTeam(creator, member, ['figures']);
    expect(await requestAll(await createDelegatedSession(test, member, creator.id))).toEqual([200, 200, 200]);
    const chatter = await test.signUp('customer');
    await joinTeam(creator, chatter, ['chat']);
    expect(await requestAll(await createDelegatedSession(test, chatter, creator.id))).toEqual([403, 403, 403]);
    expect(await requestAll(chatter)).toEqual([403, 403, 403]);
    expect((await (await test.signUp('creator')).inject('GET', LIST)).json().counts.all).toBe(0);
  });
});
