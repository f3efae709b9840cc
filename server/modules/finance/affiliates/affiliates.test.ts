import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { buildSaleFields, createProcessorId, postWebhook } from '../../commerce/ccbill/testing.ts';
import { createOrder, createPaidDeposit, postChargeback, requireCleanLedger } from '../../commerce/deposits/testing.ts';
import { chargeFan } from '../../commerce/sales/index.ts';
import { countMail } from '../../identity/accounts/testing.ts';
import { createPayoutMethod } from '../payouts/testing.ts';
import { recordReferral } from './referrals.ts';
import { clearEarnings, emitVerificationChange, tipCreator } from './testing.ts';

const NOON = new Date('2027-02-27T12:00:00Z');
const DAY_MS = 24 * 60 * 60 * 1000;

let app: TestApp;
let affiliate: TestUser;
let code: string;
beforeAll(async () => {
  app = await createTestApp({ now: NOON });
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.set(NOON);
  affiliate = await app.signUp('customer', { name: 'Ada Bringer' });
  code = (await get('/code')).code;
  app.clock.advance(1_000);
});
afterEach(() => app.ctx.events.waitUntilIdle().then(() => requireCleanLedger(app)));
const key = () => ({ 'idempotency-key': randomUUID() });
const get = async (path: string, by = affiliate) => (await by.inject('GET', `/api/affiliate${path}`)).json();
const totals = (by = affiliate) => get('/total-earning', by);
const referrals = (query = '', by = affiliate) => get(`/referral-list/${by.id}?${query}`, by);
const move = (amount: unknown, headers: Record<string, string> = key(), by = affiliate, id = by.id) =>
  by.inject('POST', `/api/customer/deposite-fund-from-refer/${id}`, { amount }, headers);
async function signUpReferred(type: 'customer' | 'creator', overrides: Parameters<TestApp['signUp']>[1] = {}) {
  const referred = await app.signUp(type, { referralCode: code, ...overrides });
  await app.ctx.events.waitUntilIdle();
  return referred;
}
async function verify(creator: TestUser, status: 'submitted' | 'verified' = 'verified') {
  await emitVerificationChange(app, creator.id, status);
  await app.ctx.events.waitUntilIdle();
}
async function tipper(amount: number, creator?: TestUser) {
  const fan = await signUpReferred('customer');
  await createPaidDeposit(app, fan, Math.max(20, amount));
  expect((await tipCreator(fan, creator ?? (await app.signUp('creator')), amount)).statusCode).toBe(200);
  return fan;
}

describe('the affiliate code', () => {
  it('belongs to one user, never changes and comes with a link and a QR code, while operators have none', async () => {
    const first = await get('/code');
    expect(first).toMatchObject({ affiliateId: affiliate.id, link: `http://localhost:3000/r/${code}` });
    expect(first.qrSvg).toMatch(/^<svg [^>]*viewBox/);
    const creator = await app.signUp('creator');
    const codes = await Promise.all([1, 2, 3, 4].map(async () => (await get('/code', creator)).code));
    expect(new Set([...codes, code]).size).toBe(2);
    expect(await get('/code')).toEqual(first);
    const operator = await app.signUp('operator');
    for (const path of ['/code', '/total-earning', `/referral-list/${operator.id}`, '/withdrawal-list'])
      expect((await operator.inject('GET', `/api/affiliate${path}`)).statusCode).toBe(403);
  });

  it('shows who invites in any letter case, and returns 404 for an unknown code or a blocked owner', async () => {
    const invitation = (invitationCode: string) => app.inject('GET', `/api/affiliate/invitation/${invitationCode}`);
    expect((await invitation(code.toLowerCase())).json()).toEqual({ code, name: 'Ada Bringer', avatarUrl: null });
    expect((await invitation('ZZZZZZZZ')).statusCode).toBe(404);
    await app.ctx.db.query.updateTable('users').set({ is_blocked: true }).where('id', '=', affiliate.id).execute();
    expect((await invitation(code)).statusCode).toBe(404);
  });
});

describe('a user who signs up with a code', () => {
  it('is invited, becomes approved with the first payment and earns commission from then on', async () => {
    const creator = await app.signUp('creator');
    const username = `typed${code.toLowerCase()}`.slice(0, 20);
    const body = {
      username,
      email: `${username}@example.com`,
      password: 'Curtain7!call',
      accountType: 'customer',
      referralCode: code.toLowerCase(),
    };
    expect((await app.inject('POST', '/api/customer/register', body)).statusCode).toBe(200);
    await app.ctx.events.waitUntilIdle();
    expect((await referrals()).data).toMatchObject([
      { name: username, status: 'invited', referredType: 'customer', approvedAt: null, totalEarnings: 0, href: null },
    ]);
    expect(await totals()).toMatchObject({
      customer: { userCount: 1, totalEarnings: 0, pr: 5 },
      creator: { userCount: 0 },
    });
    const fan = await tipper(20, creator);
    const earned = (await creator.inject('GET', '/api/creator/earnings')).json();
    expect(earned.data).toMatchObject([{ gross: 20, platformFee: 2, affiliateFee: 1, net: 18 }]);
    const { data } = await referrals(`status=approved`);
    expect(data).toMatchObject([
      { id: fan.id, approvedAt: app.clock.now().toISOString(), pr: 5, endsAt: '2028-02-27T12:00:01.000Z' },
    ]);
    expect(await totals()).toMatchObject({
      affiliateId: affiliate.id,
      code,
      customer: { userCount: 2, totalEarnings: 1, pending: 1, eligibleBalance: 0, requestedAmount: 0, totalClaimed: 0 },
      platformFee: { internal: { minAmount: 1, feePr: 0 } },
      months: 12,
    });
    await clearEarnings(app);
    expect(await totals()).toMatchObject({ eligibleBalance: 1, customer: { pending: 0, eligibleBalance: 1 } });
  });

  it('is approved when the payment arrives before the sign-up is recorded', async () => {
    const fan = await app.signUp('customer', { referralCode: code });
    const deposit = await createOrder(app, fan, 50);
    app.clock.advance(5_000);
    await postWebhook(app, 'NewSaleSuccess', buildSaleFields(app, deposit, createProcessorId()));
    await app.owner.query.deleteFrom('referrals').where('referred_id', '=', fan.id).execute();
    await recordReferral(app.ctx, { userId: fan.id, type: 'customer', username: fan.username, referralCode: code });
    expect((await referrals()).data).toMatchObject([{ status: 'approved', approvedAt: app.clock.now().toISOString() }]);
  });

  it('earns for a creator referral from verification on for twelve months, including a leap day', async () => {
    const [creator, fan] = [await signUpReferred('creator'), await app.signUp('customer')];
    await createPaidDeposit(app, fan, 200);
    const sellAt = (at: string) => {
      const sale = { kind: 'tip', fanId: fan.id, creatorId: creator.id, grossCents: 2_000, operationId: randomUUID() };
      return app.ctx.db.transaction((tx) => chargeFan(tx, { ...sale, at: new Date(at) }));
    };
    await verify(creator, 'submitted');
    const underReview = [{ status: 'underReview', href: `/profile/${creator.username}`, endsAt: null }];
    expect((await referrals('referredType=creator')).data).toMatchObject(underReview);
    await sellAt('2028-02-29T07:59:59.999Z');
    app.clock.set(new Date('2028-02-29T08:00:00Z'));
    for (const status of ['verified', 'submitted', 'verified'] as const) await verify(creator, status);
    app.clock.set(NOON);
    expect((await referrals()).data).toMatchObject([{ status: 'approved', endsAt: '2029-02-28T08:00:00.000Z' }]);
    for (const at of ['2028-02-29T08:00:00.000Z', '2029-02-28T07:59:59.999Z', '2029-02-28T08:00:00.000Z'])
      await sellAt(at);
    expect(await totals()).toMatchObject({ creator: { totalEarnings: 2, userCount: 1 }, customer: { userCount: 0 } });
  });

  it('is approved when the verification event is processed, so that earlier sales earn nothing', async () => {
    const [creator, fan] = [await signUpReferred('creator'), await app.signUp('customer')];
    await createPaidDeposit(app, fan, 20);
    await emitVerificationChange(app, creator.id, 'verified');
    app.clock.advance(5 * 60_000);
    await tipCreator(fan, creator, 20);
    await app.ctx.events.waitUntilIdle();
    expect((await referrals()).data).toMatchObject([{ approvedAt: app.clock.now().toISOString(), totalEarnings: 0 }]);
  });

  it('signs up normally but earns nothing for a forged code, an own code or a code of a newer user', async () => {
    const mailbox = affiliate.email.replace('@', '+again@');
    const own = [
      { referralCode: 'QQQQQQQQ' },
      { email: mailbox },
      { browserAccountIds: [affiliate.id] },
      { createdAt: new Date(NOON.getTime() - DAY_MS) },
    ];
    for (const overrides of own) await signUpReferred('customer', overrides);
    const [older] = [await app.signUp('customer', { createdAt: new Date(NOON.getTime() - DAY_MS) })];
    await recordReferral(app.ctx, { userId: older.id, type: 'customer', username: older.username, referralCode: code });
    await recordReferral(app.ctx, {
      userId: affiliate.id,
      type: 'customer',
      username: affiliate.username,
      referralCode: code,
    });
    await app.ctx.db.query.updateTable('users').set({ is_blocked: true }).where('id', '=', affiliate.id).execute();
    await signUpReferred('customer');
    await app.ctx.db.query.updateTable('users').set({ is_blocked: false }).where('id', '=', affiliate.id).execute();
    expect(await referrals()).toMatchObject({ data: [], totalCount: 0 });
  });

  it('is recognized as the affiliate through the browser where the affiliate was logged in', async () => {
    const { username, password } = affiliate;
    const login = await app.inject('POST', '/api/auth/login', { username, password });
    const device = login.cookies.find(({ name }) => name.endsWith('device'));
    const body = {
      username: 'second.self',
      email: 'second@example.com',
      password: 'Curtain7!call',
      accountType: 'creator',
      referralCode: code,
    };
    const headers = { cookie: `${device?.name}=${device?.value}` };
    expect((await app.inject('POST', '/api/auth/register', body, headers)).statusCode).toBe(200);
    await app.ctx.events.waitUntilIdle();
    expect((await referrals()).totalCount).toBe(0);
  });

  it('is counted once when the sign-up event is delivered again', async () => {
    const fan = await signUpReferred('customer');
    const other = await app.signUp('customer');
    const otherCode = (await get('/code', other)).code;
    for (const referralCode of [code, otherCode])
      await recordReferral(app.ctx, { userId: fan.id, type: 'customer', username: fan.username, referralCode });
    expect([(await referrals()).totalCount, (await referrals('', other)).totalCount]).toEqual([1, 0]);
  });
});

describe('a payout of affiliate earnings', () => {
  const withdraw = (amount: unknown, methodId: string, headers = key()) =>
    affiliate.inject('POST', '/api/affiliate/withdraw', { amount, methodId }, headers);

  it('reserves the amount minus the fee, lists the request and restores the money when it is canceled', async () => {
    const fans = [];
    for (const amount of [200, 200, 200, 200, 200, 200]) fans.push(await tipper(amount));
    const method = await createPayoutMethod(app, affiliate);
    await clearEarnings(app);
    expect(await totals()).toMatchObject({ eligibleBalance: 60, platformFee: { minAmount: 50, feePr: 2 } });
    expect((await withdraw(49.99, method.id)).statusCode).toBe(400);
    expect((await withdraw(60.01, method.id)).statusCode).toBe(402);
    expect((await withdraw(50, affiliate.id)).statusCode).toBe(404);
    const headers = key();
    const responses = await Promise.all([withdraw(50, method.id, headers), withdraw(50, method.id, headers), move(20)]);
    const [first, again, moved] = responses.map(({ statusCode }) => statusCode);
    expect([
      [200, 200, 402],
      [402, 402, 200],
    ]).toContainEqual([first, again, moved]);
    if (moved === 200) return;
    const { id, message } = responses[0].json();
    expect(message).toBe('Requested. We’ll pay out $49.00 once it’s approved.');
    expect(responses[1].json()).toEqual(responses[0].json());
    expect(await totals()).toMatchObject({
      eligibleBalance: 10,
      customer: { requestedAmount: 50, totalClaimed: 0, eligibleBalance: 10 },
    });
    expect((await get('/withdrawal-list')).data).toMatchObject([
      { id, type: 'payout', status: 'requested', amount: 50, fee: 1, net: 49 },
    ]);
    expect(await get(`/withdrawal-detail/${id}`)).toMatchObject({
      customerAmount: 50,
      creatorAmount: 0,
      canCancel: true,
    });
    const other = await app.signUp('customer');
    expect((await other.inject('POST', `/api/affiliate/withdrawal-cancel/${id}`)).statusCode).toBe(404);
    expect((await affiliate.inject('POST', `/api/affiliate/withdrawal-cancel/${id}`)).statusCode).toBe(200);
    expect(await totals()).toMatchObject({
      eligibleBalance: 60,
      customer: { requestedAmount: 0, eligibleBalance: 60 },
    });
    expect((await get('/withdrawal-list?status=cancel')).totalCount).toBe(1);
    expect((await move(60)).statusCode).toBe(200);
  });
});

describe('moving earnings into the balance', () => {
  it('credits them at once, notifies the affiliate and lists the move by referral type', async () => {
    const creator = await signUpReferred('creator');
    await verify(creator);
    await tipper(60, creator);
    await tipper(20);
    await clearEarnings(app);
    expect(await totals()).toMatchObject({
      eligibleBalance: 7,
      customer: { eligibleBalance: 4 },
      creator: { eligibleBalance: 3 },
    });
    const emitSpy = vi.spyOn(app.ctx.realtime, 'emitToUser');
    const headers = key();
    const response = await move(3.5, headers);
    expect(response.json()).toEqual({
      message: '$3.50 moved to your balance.',
      transactionId: expect.any(String),
      deposit: 3.5,
      depositRevision: 1,
    });
    await app.ctx.events.waitUntilIdle();
    expect(emitSpy.mock.calls.map(([id, , payload]) => [id, payload])).toContainEqual([
      affiliate.id,
      { deposit: 3.5, depositRevision: 1, transactionId: response.json().transactionId },
    ]);
    emitSpy.mockRestore();
    expect((await move(3.5, headers)).json()).toEqual(response.json());
    expect([(await move(3, headers)).statusCode, await countMail(app.ctx, affiliate.email)]).toEqual([409, 1]);
    expect(await totals()).toMatchObject({
      eligibleBalance: 3.5,
      customer: { totalEarnings: 4, totalClaimed: 2, eligibleBalance: 2 },
      creator: { totalEarnings: 3, totalClaimed: 1.5, eligibleBalance: 1.5 },
    });
    const list = await get('/withdrawal-list?status=transfered');
    expect(list).toMatchObject({
      limit: 10,
      totalCount: 1,
      data: [{ type: 'balance', status: 'transfered', amount: 3.5, fee: 0, net: 3.5 }],
    });
    expect(await get(`/withdrawal-detail/${list.data[0].id}`)).toMatchObject({ customerAmount: 2, creatorAmount: 1.5 });
    expect((await creator.inject('GET', `/api/affiliate/withdrawal-detail/${list.data[0].id}`)).statusCode).toBe(404);
    const { data } = (await affiliate.inject('GET', '/api/customer/transaction-history')).json();
    expect(data).toMatchObject([{ title: 'From your referrals', amount: 3.5 }]);
  });

  it('never moves more than is available when requests race', async () => {
    await tipper(100);
    await clearEarnings(app);
    const responses = await Promise.all([2, 2, 2, 2, 2].map((amount) => move(amount)));
    expect(responses.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 200, 402, 402, 402]);
    expect(await totals()).toMatchObject({ eligibleBalance: 1, customer: { totalClaimed: 4, eligibleBalance: 1 } });
  });

  it('refuses amounts below the minimum, uncleared money, invalid amounts, other users and creators', async () => {
    await tipper(100);
    expect((await move(1)).json()).toMatchObject({
      code: 'INSUFFICIENT_FUNDS',
      message: 'You can withdraw up to $0.00.',
    });
    await clearEarnings(app);
    expect((await move(0.99)).json()).toMatchObject({ code: 'VALIDATION', message: 'Move at least $1.00.' });
    for (const amount of [0, -1, 1.001, '1', null, 1e12]) expect((await move(amount)).statusCode).toBe(400);
    expect((await move(5.01)).statusCode).toBe(402);
    const other = await app.signUp('customer');
    expect((await move(1, key(), other, affiliate.id)).statusCode).toBe(404);
    expect((await other.inject('GET', `/api/affiliate/referral-list/${affiliate.id}`)).statusCode).toBe(404);
    expect((await move(1, key(), await app.signUp('creator'))).statusCode).toBe(403);
    expect((await move(5)).statusCode).toBe(200);
  });

  it('pays off the debt of the affiliate first', async () => {
    const { deposit, saleId } = await createPaidDeposit(app, affiliate, 20);
    await tipCreator(affiliate, await app.signUp('creator'), 20);
    await postChargeback(app, saleId, deposit.payable_cents);
    await tipper(100);
    await clearEarnings(app);
    expect((await move(5)).json()).toMatchObject({
      message: '$5.00 moved to your balance. $5.00 was used to pay your outstanding balance.',
      deposit: 0,
    });
  });
});

it('reverses commission on sales whose payment was charged back', async () => {
  const creator = await app.signUp('creator');
  const fan = await signUpReferred('customer');
  const { deposit, saleId } = await createPaidDeposit(app, fan, 100);
  for (const amount of [40, 40]) {
    app.clock.advance(1_000);
    await tipCreator(fan, creator, amount);
  }
  expect(await totals()).toMatchObject({ customer: { totalEarnings: 4 } });
  await postChargeback(app, saleId, deposit.payable_cents * 0.8);
  expect(await totals()).toMatchObject({ customer: { totalEarnings: 1 } });
  app.clock.advance(1_000);
  await postChargeback(app, saleId, deposit.payable_cents * 0.2);
  expect(await totals()).toMatchObject({ customer: { totalEarnings: 0, pending: 0 } });
});

it('the referral list filters, sorts and paginates, and refuses invalid queries', async () => {
  for (const [day, name] of [
    [0, 'Zoë'],
    [1, 'ábel'],
    [2, 'Mira'],
  ] as const) {
    app.clock.set(new Date(NOON.getTime() + day * DAY_MS + 1_000));
    const referred = await signUpReferred(day === 2 ? 'creator' : 'customer', { name });
    if (day === 1) await createPaidDeposit(app, referred, 20);
  }
  const names = async (query: string) => (await referrals(query)).data.map(({ name }: { name: string }) => name);
  expect(await names('')).toEqual(['Mira', 'ábel', 'Zoë']);
  expect(await names('sortByKey=name&sortOrderBy=asc')).toEqual(['ábel', 'Mira', 'Zoë']);
  expect(await names('sortByKey=approvedAt&sortOrderBy=asc&limit=1')).toEqual(['ábel']);
  expect(await names('status=invited')).toEqual(['Mira', 'Zoë']);
  expect(await names('referredType=customer&status=approved')).toEqual(['ábel']);
  expect(await names('startDate=2027-02-28&endDate=2027-02-28')).toEqual(['ábel']);
  expect(await names('limit=2&currentPage=2&totalRecords=7')).toEqual(['Zoë']);
  expect(await referrals('currentPage=9')).toEqual({ data: [], limit: 10, totalCount: 3 });
  for (const query of [
    'currentPage=0',
    'limit=51',
    'status=paid',
    'referredType=operator',
    'sortByKey=email',
    'startDate=x',
    'startDate=2027-03-01&endDate=2027-02-28',
  ])
    for (const path of [`/referral-list/${affiliate.id}`, '/withdrawal-list'])
      if (!(path === '/withdrawal-list' && query.startsWith('referredType')))
        expect([query, (await affiliate.inject('GET', `/api/affiliate${path}?${query}`)).statusCode]).toEqual([
          query,
          400,
        ]);
});
