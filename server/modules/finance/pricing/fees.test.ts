import type { CustomFee, PlatformFees } from '@stagedoor/contract/admin/fees.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { createEarnings } from '../payouts/testing.ts';

const reason = 'As the board decided';
const DAY_MS = 24 * 60 * 60_000;

let app: TestApp;
let owner: TestUser;
let creator: TestUser;
beforeAll(async () => {
  app = await createTestApp();
  [owner, creator] = await Promise.all([app.signUp('operator'), app.signUp('creator')]);
});
afterAll(() => app.close());

const getFees = async (): Promise<PlatformFees> => (await owner.inject('GET', '/api/admin/fees')).json();
async function setFees(change: Partial<PlatformFees>, from?: PlatformFees) {
  const before = from ?? (await getFees());
  return owner.inject('PUT', '/api/admin/fees', { from: before, to: { ...before, ...change }, reason });
}
const getCustomFee = async (name = creator.username) =>
  (await owner.inject('GET', `/api/admin/creator-fees?search=${name}`)).json();
async function setCustomFee(to: CustomFee, from?: CustomFee) {
  const before = from ?? (await getCustomFee()).data[0].custom;
  return owner.inject('PUT', `/api/admin/creator-fees/${creator.id}`, { from: before, to, reason });
}
const getSaleFee = async (saleId: string) =>
  (await app.owner.query.selectFrom('sales').select('fee_cents').where('id', '=', saleId).executeTakeFirstOrThrow())
    .fee_cents;
const dayAfter = (days: number) => new Date(app.clock.now().getTime() + days * DAY_MS).toISOString().slice(0, 10);

test('new fees apply to later sales only, and the public terms show them at once', async () => {
  const before = await createEarnings(app, creator.id, 10_000);
  expect(await getSaleFee(before.saleId)).toBe(1_000);
  expect((await setFees({ generalFee: 17.5, offerFee: 12.5, clearingDays: 5 })).json()).toMatchObject({
    generalFee: 17.5,
  });
  expect((await app.inject('GET', '/api/public/terms')).json()).toMatchObject({ offerFee: 12.5, clearingDays: 5 });
  expect((await creator.inject('GET', '/api/creator/fees')).json()).toMatchObject({
    generalFee: 17.5,
    effectiveFee: 12.5,
  });
  const after = await createEarnings(app, creator.id, 10_000);
  expect([await getSaleFee(before.saleId), await getSaleFee(after.saleId)]).toEqual([1_000, 1_250]);
});

test('the public terms show separate referral shares for creators and for fans', async () => {
  const previous = await getFees();
  await setFees({ creatorShare: 4, customerShare: 2.5, shareMonths: 9 });
  const terms = (await app.inject('GET', '/api/public/terms')).json();
  expect(terms).toMatchObject({ creatorReferralPercent: 4, customerReferralPercent: 2.5, referralMonths: 9 });
  await setFees(previous);
});

test('the public terms show each payout amount, and the higher of the two referral minimums', async () => {
  const change = (values: string) => app.owner.pool.query(`update payout_settings set ${values}`);
  const { rows } = await app.owner.pool.query('select * from payout_settings');
  const getTerms = async () => (await app.inject('GET', '/api/public/terms')).json();
  await change(
    'minimum_cents = 2100, crypto_minimum_cents = 5200, referrals_minimum_cents = 6300, referrals_fee_basis_points = 300, cooling_hours = 73',
  );
  expect(await getTerms()).toMatchObject({
    ...{ payoutMinimum: 21, cryptoMinimum: 52, referralMinimum: 63, referralFee: 3, coolingHours: 73 },
  });
  await change('minimum_cents = 8400');
  expect(await getTerms()).toMatchObject({ payoutMinimum: 84, referralMinimum: 84 });
  const previous = rows[0];
  await app.owner.pool.query(
    `update payout_settings set minimum_cents = $1, crypto_minimum_cents = $2, referrals_minimum_cents = $3, referrals_fee_basis_points = $4, cooling_hours = $5`,
    [
      ...[previous.minimum_cents, previous.crypto_minimum_cents, previous.referrals_minimum_cents],
      ...[previous.referrals_fee_basis_points, previous.cooling_hours],
    ],
  );
});

test('fees that contradict each other are refused', async () => {
  const readRefusal = async (change: Partial<PlatformFees>) => {
    const response = await setFees(change);
    return [response.statusCode, response.json().error?.[0]];
  };
  expect(await readRefusal({ offerFee: 18 })).toEqual([
    400,
    { field: 'to.offerFee', message: 'The offer can’t be above the standard fee of 17.5%.' },
  ]);
  expect(await readRefusal({ customerShare: 8 })).toEqual([
    400,
    {
      field: 'to.creatorShare',
      message: 'The commissions add up to 13%, more than the fee of 12.5% that pays for them.',
    },
  ]);
  expect((await readRefusal({ creatorShare: 13 }))[0]).toBe(400);
  for (const change of [
    { generalFee: 50.01 },
    { generalFee: 12.345 },
    { offerDays: -1 },
    { shareMonths: 0 },
    { dailySpend: 0 },
  ])
    expect((await setFees(change)).statusCode, JSON.stringify(change)).toBe(400);
});

test('the second of two concurrent changes is refused, and every change is logged with operator and reason', async () => {
  const from = await getFees();
  const responses = await Promise.all([setFees({ moveFee: 1 }, from), setFees({ shareMonths: 6 }, from)]);
  expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  const finance = await app.signUp('operator', { roles: ['finance'] });
  const { data } = (await finance.inject('GET', '/api/admin/fee-changes?group=fees')).json();
  expect(data[0]).toMatchObject({
    action: 'settings.fees',
    operator: { username: owner.username },
    details: { reason },
  });
  expect(data.at(-1).details).toEqual({
    reason,
    generalFee: 17.5,
    generalFeeBefore: 20,
    offerFee: 12.5,
    offerFeeBefore: 10,
    clearingDays: 5,
    clearingDaysBefore: 7,
    alone: true,
  });
  expect((await finance.inject('GET', '/api/admin/fees')).statusCode).toBe(200);
  const now = await getFees();
  expect(
    (await finance.inject('PUT', '/api/admin/fees', { from: now, to: { ...now, moveFee: 2 }, reason })).statusCode,
  ).toBe(403);
});

test('weaker settings need two operators, and stricter ones apply at once and end pending requests', async () => {
  const second = await app.signUp('operator');
  const listPending = async () => (await second.inject('GET', '/api/admin/setting-approvals')).json().data;
  const decide = (operator: TestUser, name: string, to: number, decision = 'confirm') =>
    operator.inject('POST', `/api/admin/setting-approvals/${name}/decision`, { decision, to, reason });
  const { clearingDays, dailySpend } = await getFees();
  const weaker = await setFees({ clearingDays: clearingDays - 1, dailySpend: dailySpend + 100, moveFee: 3 });
  expect(weaker.json()).toMatchObject({ clearingDays, dailySpend, moveFee: 3 });
  expect(await listPending()).toMatchObject([
    { name: 'clearingDays', from: clearingDays, to: clearingDays - 1, operator: owner.username, reason },
    { name: 'dailySpend', from: dailySpend, to: dailySpend + 100 },
  ]);
  expect((await decide(owner, 'clearingDays', clearingDays - 1)).statusCode).toBe(409);
  expect((await decide(second, 'clearingDays', 0)).statusCode).toBe(409);
  const responses = await Promise.all([1, 2].map(() => decide(second, 'clearingDays', clearingDays - 1)));
  expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  expect((await getFees()).clearingDays).toBe(clearingDays - 1);
  expect((await setFees({ clearingDays, dailySpend: dailySpend - 1 })).json()).toMatchObject({
    clearingDays,
    dailySpend: dailySpend - 1,
  });
  expect(await listPending()).toEqual([]);
  const [last, confirmed] = (await owner.inject('GET', '/api/admin/fee-changes?group=fees')).json().data;
  expect([last.details, confirmed.details]).toMatchObject([
    { dailySpend: dailySpend - 1, dailySpendWithdrawn: dailySpend + 100 },
    { clearingDays: clearingDays - 1, clearingDaysBefore: clearingDays, requestedBy: owner.id },
  ]);

  const payouts = (await owner.inject('GET', '/api/admin/payout-settings')).json();
  const setCoolingHours = (from: number, coolingHours: number) =>
    owner.inject('PUT', '/api/admin/payout-settings', {
      from: { ...payouts, coolingHours: from },
      to: { ...payouts, coolingHours },
      reason,
    });
  const { coolingHours } = payouts;
  expect((await setCoolingHours(coolingHours, 1)).json()).toMatchObject({ coolingHours });
  expect((await decide(owner, 'coolingHours', 1, 'refuse')).json()).toEqual({ data: [] });
  await setCoolingHours(coolingHours, 2);
  expect((await decide(second, 'coolingHours', 2)).json()).toEqual({ data: [] });
  expect((await setCoolingHours(2, coolingHours)).json()).toMatchObject({ coolingHours });
  await app.ctx.db.query.updateTable('users').set({ operator_roles: [] }).where('id', '=', second.id).execute();
});

test('a creator’s own fee and offer apply to sales on their days only', async () => {
  expect((await getCustomFee()).data).toMatchObject([
    { creator: { username: creator.username }, custom: { generalFee: null, offer: null } },
  ]);
  expect((await getCustomFee('nobody.at.all')).data).toEqual([]);
  const offer = { fee: 6, firstDay: dayAfter(10), lastDay: dayAfter(12) };
  expect((await setCustomFee({ generalFee: 15, offer })).json()).toMatchObject({
    custom: { generalFee: 15, offer },
    effectiveFee: 15,
  });
  const sellAndGetFee = async () => getSaleFee((await createEarnings(app, creator.id, 10_000)).saleId);
  expect(await sellAndGetFee()).toBe(1_500);
  app.clock.set(new Date(Date.parse(offer.firstDay) - 1));
  const setTime = (at: Date) => app.clock.set(at);
  expect(await sellAndGetFee()).toBe(1_500);
  setTime(new Date(offer.firstDay));
  expect(await sellAndGetFee()).toBe(600);
  setTime(new Date(Date.parse(offer.lastDay) + DAY_MS - 1));
  expect(await sellAndGetFee()).toBe(600);
  setTime(new Date(Date.parse(offer.lastDay) + DAY_MS));
  expect(await sellAndGetFee()).toBe(1_500);
  owner = await app.logIn(owner);
  expect((await owner.inject('GET', '/api/admin/creator-fees')).json()).toMatchObject({ totalCount: 1 });
  expect((await setCustomFee({ generalFee: null, offer: null })).json()).toMatchObject({
    custom: { generalFee: null, offer: null },
  });
  expect((await owner.inject('GET', '/api/admin/creator-fees')).json().totalCount).toBe(0);
});

test('a creator’s own fee must fit the fees of the platform, belongs to a creator and is logged', async () => {
  const readErrorField = async (to: CustomFee) => (await setCustomFee(to)).json().error?.[0]?.field;
  const offer = { fee: 6, firstDay: null, lastDay: dayAfter(3) };
  expect(await readErrorField({ generalFee: 4.99, offer: null })).toBe('to.generalFee');
  expect(await readErrorField({ generalFee: null, offer: { ...offer, fee: 18 } })).toBe('to.offer.fee');
  expect(await readErrorField({ generalFee: null, offer: { ...offer, firstDay: dayAfter(4) } })).toBe(
    'to.offer.lastDay',
  );
  expect(await readErrorField({ generalFee: null, offer: { ...offer, lastDay: dayAfter(-1) } })).toBe(
    'to.offer.lastDay',
  );
  expect((await setCustomFee({ generalFee: 6, offer: null })).statusCode).toBe(200);
  expect((await setFees({ customerShare: 1, creatorShare: 7 })).json().error[0].message).toBe(
    'A creator has a custom fee of 6%. A commission can’t be above it.',
  );
  const stale = { generalFee: 9, offer: null };
  expect((await setCustomFee({ generalFee: 7, offer: null }, stale)).statusCode).toBe(409);
  const fan = await app.signUp('customer');
  const body = { from: { generalFee: null, offer: null }, to: stale, reason };
  expect((await owner.inject('PUT', `/api/admin/creator-fees/${fan.id}`, body)).statusCode).toBe(404);
  const { data } = (await owner.inject('GET', '/api/admin/fee-changes?group=fees')).json();
  expect(data[0]).toMatchObject({
    action: 'settings.fees.creator',
    details: { creator: creator.username, ownFee: 6, ownFeeBefore: null },
  });
});
